import { readUpstreamError } from '@tollgate/dialects/errors/render-error'
import type { ModelList } from '../provider.ts'
import { isRecord } from '@tollgate/dialects/json'
import { joinUrl } from './url.ts'

/** A model list at GET `<base><path>`, with the names in `data[].id`. */
export function openaiModels(path = '/v1/models'): ModelList {
  return { url: (upstream) => joinUrl(upstream.baseUrl, path), read: (body) => readNames(body, 'data', 'id') }
}

/**
 * Reads the names from a list of objects or of names, which may also be the whole response or have the other of the two
 * usual names. Returns none when the response has another shape.
 */
export function readNames(body: unknown, list: string, member: string): string[] {
  return findItems(body, list).flatMap((item: unknown) => {
    const name = isRecord(item) ? (item[member] ?? item['id'] ?? item['name']) : item
    const trimmed = typeof name === 'string' ? name.trim() : ''
    return trimmed === '' ? [] : [trimmed]
  })
}

const LISTS = ['data', 'models'] as const

function findItems(body: unknown, list: string): readonly unknown[] {
  if (Array.isArray(body)) return body
  if (!isRecord(body)) return []
  const items = [list, ...LISTS].map((name) => body[name]).find((value) => Array.isArray(value))
  return Array.isArray(items) ? items : []
}

const WORDS_CHARACTERS_MAX = 300

/** Why a response with status 200 lists no models, in the vendor's words; `undefined` if it does not say. */
export function readListError(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined
  const { error, success } = body
  if (success !== false && (error === undefined || error === null)) return undefined
  return readUpstreamError(200, Buffer.from(JSON.stringify(body))).message.slice(0, WORDS_CHARACTERS_MAX)
}
