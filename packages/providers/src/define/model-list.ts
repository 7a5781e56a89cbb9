import type { ModelList } from '../provider.ts'
import { isRecord } from '@tollgate/dialects/json'
import { joinUrl } from './url.ts'

/** A model list at GET `<base><path>`, with the names in `data[].id`. */
export function openaiModels(path = '/v1/models'): ModelList {
  return { url: (upstream) => joinUrl(upstream.baseUrl, path), read: (body) => readNames(body, 'data', 'id') }
}

/** Reads the names from a list of objects; returns none when the response has another shape. */
export function readNames(body: unknown, list: string, member: string): string[] {
  const items: unknown = isRecord(body) ? body[list] : undefined
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown) => {
    const name = isRecord(item) ? item[member] : undefined
    return typeof name === 'string' && name !== '' ? [name] : []
  })
}
