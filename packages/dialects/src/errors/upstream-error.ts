import type { UpstreamError } from '../dialect.ts'
import { isRecord, parseObject, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import { scrub } from './scrub.ts'

/**
 * Reads an error body in any shape that vendors use. Addresses and keys are removed from the text. Never
 * throws.
 */
export function readUpstreamError(status: number, bytes: Buffer): UpstreamError {
  const body = parseObject(bytes) ?? {}
  const error = errorInDialect(body, status)
  if (error !== undefined) return error
  const plain = plainError(status, firstText(body) ?? `bad response status code ${status}`)
  // Alibaba, xAI and others put a textual code beside the message; a number there only repeats the status.
  const word = textAt(body, 'code')
  return word === undefined ? plain : { ...plain, code: scrub(word) }
}

/** Returns the error object inside a response with status 200; `undefined` if there is none. */
export function errorInside(answer: JsonObject): UpstreamError | undefined {
  const error = answer['error']
  if (isRecord(error))
    return Object.keys(error).length === 0 ? undefined : errorInDialect(answer, statusInside(error))
  return typeof error === 'string' && error !== '' ? insideError(error) : undefined
}

/** Returns the error message if a response with status 200, or a frame of a stream, is really an error. */
export type ErrorInside = (answer: JsonObject) => string | undefined

/** Returns the error inside a response with status 200, in the vendor's own format or in that of a dialect. */
export function errorOf(
  answer: JsonObject,
  vendorFormat: ErrorInside | undefined,
): UpstreamError | undefined {
  const words = vendorFormat?.(answer)
  return words === undefined ? errorInside(answer) : insideError(words)
}

/** Error for a response with status 200 that reports a failure in a vendor format. */
export function insideError(text: string): UpstreamError {
  return { ...plainError(502, text), code: 'stream_response_error', param: null }
}

/** Error for a body that is not a valid response. */
export function badBody(code: 'bad_response_body' | 'empty_response'): UpstreamError {
  const message =
    code === 'empty_response'
      ? 'The upstream ended without an answer'
      : 'The upstream sent an answer that is not valid'
  return { status: 502, message, type: 'upstream_error', code, param: null, raw: undefined }
}

function errorInDialect(body: JsonObject, status: number): UpstreamError | undefined {
  const raw = recordAt(body, 'error')
  if (raw === undefined) return undefined
  const param = textAt(raw, 'param')
  return {
    status,
    message: scrub(firstText(raw) ?? `bad response status code ${status}`),
    type: scrub(textAt(raw, 'type') ?? 'upstream_error'),
    code: scrub(codeOf(raw) ?? 'bad_response_status_code'),
    param: param === undefined ? null : scrub(param),
    raw,
  }
}

function plainError(status: number, message: string): UpstreamError {
  return {
    status,
    message: scrub(message),
    type: 'upstream_error',
    code: 'bad_response_status_code',
    param: String(status),
    raw: undefined,
  }
}

/** Places in which vendors put the error message, in order of preference. */
const places: readonly ((body: JsonObject) => string | undefined)[] = [
  (body) => textAt(body, 'message'),
  (body) => textAt(body, 'msg'),
  (body) => textAt(body, 'err'),
  (body) => textAt(body, 'error_msg'),
  (body) => textAt(recordAt(body, 'header') ?? {}, 'message'),
  (body) => textAt(recordAt(recordAt(body, 'response') ?? {}, 'error') ?? {}, 'message'),
  (body) => textAt(body, 'detail') ?? textAt(recordsAt(body, 'detail')[0] ?? {}, 'msg'),
  (body) => textAt(body, 'error'),
  (body) => textAt(recordsAt(body, 'errors')[0] ?? {}, 'message'),
  (body) => textAt(recordAt(body, 'base_resp') ?? {}, 'status_msg'),
]

function firstText(body: JsonObject): string | undefined {
  for (const place of places) {
    const text = place(body)
    if (text !== undefined) return text
  }
  return undefined
}

function codeOf(raw: JsonObject): string | undefined {
  const code = raw['code']
  return typeof code === 'number' ? String(code) : textAt(raw, 'code')
}

/** Statuses derived from the type or code of an error inside a 200 response. */
const statusWords: readonly (readonly [RegExp, number])[] = [
  // An overload is not the caller's rate: agents wait differently, and no key is to rest.
  [/overload|unavailable|over_capacity|no_capacity|server_busy/, 503],
  [/rate_limit|too_many|insufficient_quota|resource_exhausted/, 429],
  [/authentication|invalid_api_key|unauthorized/, 401],
  [/permission|forbidden/, 403],
  [/not_found/, 404],
  [/invalid_request|bad_request|context_length|content_filter/, 400],
]

function statusInside(error: JsonObject): number {
  const code = Number(error['code'])
  if (Number.isInteger(code) && code >= 400 && code <= 599) return code
  const words = ['type', 'code', 'status']
    .map((member) => textAt(error, member) ?? '')
    .join(' ')
    .toLowerCase()
  return statusWords.find(([pattern]) => pattern.test(words))?.[1] ?? 502
}
