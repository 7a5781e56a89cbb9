import { ownValue } from '@tollgate/kit/own-value'
import { problem, type Language, type Problem } from '@tollgate/problems/problem'
import type { UpstreamError } from '../dialect.ts'
import type { JsonObject } from '../json.ts'

export { readUpstreamError } from './upstream-error.ts'

/**
 * Either a problem of the gateway or an error of the upstream. `status` replaces its status, for a channel's
 * status mapping.
 */
export type Failure =
  | { readonly problem: Problem; readonly status?: number; readonly form?: ProblemForm }
  | { readonly upstreamError: UpstreamError; readonly status?: number }

/** Type, code and param that OpenAI clients know, used instead of those of the problem. */
export interface ProblemForm {
  readonly type: string
  readonly code: string
}

export type ErrorRequest = Failure & {
  readonly requestId: string
  readonly language: Language
  /** When the caller may try again, for dialects that say it in the error. */
  readonly retryAfterMs?: number | undefined
}

export interface RenderedError {
  readonly status: number
  readonly body: Buffer
}

/**
 * Renders the dialect's only error shape. The request id is repeated in the message text, so that a client
 * which shows only the message still shows the id.
 */
export function renderOpenAiError(request: ErrorRequest): RenderedError {
  const { status, ...error } = errorWords(request)
  return {
    status,
    body: Buffer.from(JSON.stringify({ error: { ...error, ...readUpstreamDetails(request) } })),
  }
}

/** Contents of an error, independent of the shape in which it is sent. */
export interface ErrorWords {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string
}

export function errorWords(request: ErrorRequest): ErrorWords {
  const own =
    'problem' in request
      ? { ...ownError(request.problem, request.language), ...request.form }
      : passedOn(request)
  const message = `${own.message} (request id: ${request.requestId})`
  return { ...own, status: request.status ?? own.status, message }
}

/** Members of the vendor's error that libraries read; see `readErrorDetails`. */
export function readUpstreamDetails(request: ErrorRequest): JsonObject | undefined {
  return 'upstreamError' in request ? request.upstreamError.details : undefined
}

/** Problems whose type or code in the OpenAI wire contract differs from their own. */
const contract: Readonly<
  Record<string, { readonly type: string; readonly code: string; readonly param: string }>
> = {
  invalid_url: { type: 'invalid_request_error', code: '', param: '' },
  session_required: { type: 'tollgate_error', code: 'access_token_not_supported', param: '' },
  model_not_found: { type: 'invalid_request_error', code: 'model_not_found', param: 'model' },
  previous_response_not_found: {
    type: 'invalid_request_error',
    code: 'previous_response_not_found',
    param: 'previous_response_id',
  },
  invalid_stream_id: { type: 'invalid_request_error', code: 'invalid_stream_id', param: 'stream_id' },
  websocket_stream_limit_reached: {
    type: 'invalid_request_error',
    code: 'websocket_stream_limit_reached',
    param: 'stream_id',
  },
  websocket_connection_limit_reached: {
    type: 'invalid_request_error',
    code: 'websocket_connection_limit_reached',
    param: '',
  },
}

function ownError(own: Problem, language: Language): ErrorWords {
  const message = own.textIn(language)
  const param = own.parameter('param')
  const words = ownValue(contract, own.code)
  return { status: own.definition.status, message, type: 'tollgate_error', param, code: own.code, ...words }
}

/**
 * A rate limit of the upstream concerns the operator's account, so its message is replaced by one that asks
 * the caller to try again later.
 */
function passedOn({
  upstreamError,
  language,
}: Extract<ErrorRequest, { upstreamError: UpstreamError }>): ErrorWords {
  const { status, type, param, code } = upstreamError
  const message = status === 429 ? problem('upstream_saturated').textIn(language) : upstreamError.message
  return { status, message, type, param, code }
}
