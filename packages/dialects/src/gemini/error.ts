import { ownValue } from '@tollgate/kit/own-value'
import type { UpstreamError } from '../dialect.ts'
import { isRecord, parseObject, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import type { ErrorRequest, RenderedError } from '../errors/render-error.ts'
import { writeRetryInfo } from '../canonical/error-details.ts'
import { renderOpenAiError, readUpstreamDetails } from '../errors/render-error.ts'
import { readUpstreamError } from '../errors/upstream-error.ts'
import { scrub } from '../errors/scrub.ts'

/**
 * Google's status names and their HTTP statuses: https://cloud.google.com/apis/design/errors#handling_errors
 */
const words: Readonly<Record<string, { readonly status: number; readonly type: string }>> = {
  INVALID_ARGUMENT: { status: 400, type: 'invalid_request_error' },
  FAILED_PRECONDITION: { status: 400, type: 'invalid_request_error' },
  OUT_OF_RANGE: { status: 400, type: 'invalid_request_error' },
  UNAUTHENTICATED: { status: 401, type: 'authentication_error' },
  PERMISSION_DENIED: { status: 403, type: 'permission_error' },
  NOT_FOUND: { status: 404, type: 'not_found_error' },
  RESOURCE_EXHAUSTED: { status: 429, type: 'rate_limit_error' },
  CANCELLED: { status: 499, type: 'api_error' },
  INTERNAL: { status: 500, type: 'api_error' },
  UNAVAILABLE: { status: 503, type: 'overloaded_error' },
  DEADLINE_EXCEEDED: { status: 504, type: 'timeout_error' },
}

/**
 * Reads an error body: `{ error }`, or `[{ error }]` as in streams. Any other shape is read by the generic
 * reader.
 */
export function readGeminiError(status: number, bytes: Buffer): UpstreamError {
  return errorIn(bodyOf(bytes), status) ?? readUpstreamError(status, bytes)
}

function bodyOf(bytes: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    const first: unknown = Array.isArray(value) ? value[0] : value
    return isRecord(first) ? first : {}
  } catch {
    return parseObject(bytes) ?? {}
  }
}

/**
 * Returns the error inside a body; `undefined` if there is none. `status` is the HTTP status, if it was not
 * 200.
 */
export function errorIn(body: JsonObject, status?: number): UpstreamError | undefined {
  const raw = recordAt(body, 'error')
  if (raw === undefined) return undefined
  const word = textAt(raw, 'status') ?? ''
  const known = ownValue(words, word)
  const code = raw['code']
  const reported = typeof code === 'number' && code >= 400 && code <= 599 ? code : undefined
  const isKeyBad = recordsAt(raw, 'details').some((detail) => detail['reason'] === 'API_KEY_INVALID')
  return {
    // Gemini reports an invalid key as 400, which would make it look like the caller's error.
    status: isKeyBad ? 401 : (status ?? reported ?? known?.status ?? 502),
    message: scrub(textAt(raw, 'message') ?? (word || 'The upstream failed')),
    type: isKeyBad ? 'authentication_error' : (known?.type ?? 'upstream_error'),
    code: isKeyBad ? 'invalid_api_key' : word.toLowerCase() || 'bad_response_status_code',
    param: null,
    raw,
  }
}

const wordOf: readonly (readonly [number, string])[] = [
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [402, 'FAILED_PRECONDITION'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [408, 'DEADLINE_EXCEEDED'],
  [413, 'INVALID_ARGUMENT'],
  [429, 'RESOURCE_EXHAUSTED'],
  [499, 'CANCELLED'],
  [501, 'UNIMPLEMENTED'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]

/** Writes an error in Google's shape, with the same message as in every other dialect. */
export function writeGeminiError(request: ErrorRequest): RenderedError {
  const { status, body } = renderOpenAiError(request)
  const error = recordAt(parseObject(body) ?? {}, 'error') ?? {}
  const reported =
    wordOf.find(([code]) => code === status)?.[1] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL')
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: textAt(error, 'code') ?? '',
    domain: 'tollgate',
  }
  const { retryAfterMs } = request
  const details = [
    info,
    ...recordsAt(readUpstreamDetails(request) ?? {}, 'details'),
    ...(retryAfterMs === undefined ? [] : [writeRetryInfo(retryAfterMs)]),
  ]
  const written = { code: status, message: error['message'] ?? '', status: reported, details }
  return { status, body: Buffer.from(JSON.stringify({ error: written })) }
}
