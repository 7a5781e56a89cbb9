import { ownValue } from '@tollgate/kit/own-value'
import { problem } from '@tollgate/problems/problem'
import type { Ask } from '../dialect.ts'
import { isRecord, type JsonObject } from '../json.ts'
import type { MediaOperation } from './operation.ts'
import { imagesRequested } from './image-count.ts'

type Reading = Pick<Ask, 'isStream' | 'wantsUsage' | 'outputTokensMax' | 'choices'>

const INPUT_CHARACTERS_MAX = 1_000_000
const WORD_LENGTH_MAX = 32

const sizes: Readonly<Record<string, readonly string[]>> = {
  'dall-e-2': ['256x256', '512x512', '1024x1024'],
  'dall-e-3': ['1024x1024', '1024x1792', '1792x1024'],
}

/**
 * Checks the required members of media requests, and reads how many results they ask for. Values of form
 * fields are strings, also for numbers and flags.
 */
export const mediaReaders: Readonly<Record<MediaOperation, (body: JsonObject) => Reading>> = {
  images: (body) => {
    requireText(body, 'prompt')
    return pictures(body)
  },
  'image-edits': (body) => {
    requireText(body, 'prompt')
    return pictures(body)
  },
  'image-variations': pictures,
  speech: (body) => {
    const input = requireText(body, 'input')
    if (input.length > INPUT_CHARACTERS_MAX)
      throw problem('member_too_long', { param: 'input', max: INPUT_CHARACTERS_MAX })
    return { isStream: false, wantsUsage: undefined, outputTokensMax: undefined, choices: 1 }
  },
  transcriptions: transcript,
  translations: transcript,
}

function pictures(body: JsonObject): Reading {
  checkSize(body)
  return {
    isStream: flagIn(body, 'stream'),
    wantsUsage: true,
    outputTokensMax: undefined,
    choices: imagesRequested(body),
  }
}

function transcript(body: JsonObject): Reading {
  return { isStream: flagIn(body, 'stream'), wantsUsage: true, outputTokensMax: undefined, choices: 1 }
}

/** Writing "×" instead of "x" in a size is a common mistake, and no upstream understands it. */
function checkSize(body: JsonObject): void {
  for (const param of ['size', 'quality']) {
    const value = body[param] ?? ''
    if (typeof value !== 'string' || value.length > WORD_LENGTH_MAX)
      throw problem('member_invalid', { param })
  }
  const size = body['size'] ?? undefined
  if (typeof size !== 'string') return
  const model = body['model']
  const known = typeof model === 'string' ? ownValue(sizes, model) : undefined
  if (size.includes('×') || known?.includes(size) === false)
    throw problem('member_unknown_value', { param: 'size', values: known?.join(', ') ?? 'WIDTHxHEIGHT' })
}

function requireText(body: JsonObject, param: string): string {
  const value = body[param] ?? undefined
  if (value === undefined || value === '') throw problem('member_missing', { param })
  if (typeof value !== 'string') throw problem('member_invalid', { param })
  return value
}

function flagIn(body: JsonObject, param: string): boolean {
  const value = body[param] ?? undefined
  if (value === undefined || value === '' || value === false || value === 'false') return false
  if (value === true || value === 'true') return true
  throw problem('member_invalid', { param })
}

/** Checks the required members of a rerank request. The model reads the query together with each document. */
export function checkRerank(body: JsonObject): void {
  const query = body['query'] ?? undefined
  if (query === undefined || query === '') throw problem('member_missing', { param: 'query' })
  if (typeof query !== 'string' && !isRecord(query)) throw problem('member_invalid', { param: 'query' })
  const documents = body['documents'] ?? undefined
  if (documents === undefined) throw problem('member_missing', { param: 'documents' })
  if (!Array.isArray(documents)) throw problem('member_invalid', { param: 'documents' })
  if (documents.length === 0) throw problem('member_missing', { param: 'documents' })
  if (documents.length > DOCUMENTS_MAX)
    throw problem('member_too_long', { param: 'documents', max: DOCUMENTS_MAX })
}

/** The largest list that any vendor accepts. */
const DOCUMENTS_MAX = 10_000
