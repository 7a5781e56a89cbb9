import type { JsonObject } from '../json.ts'
import {
  errorWords,
  readUpstreamDetails,
  type ErrorRequest,
  type RenderedError,
} from '../errors/render-error.ts'

/**
 * Anthropic's error types. Its client libraries choose the exception class by them.
 * https://docs.anthropic.com/en/api/errors
 */
const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/**
 * Details of problems that Anthropic's libraries act on: they send the whole conversation. Members as the types of
 * `@anthropic-ai/sdk` 1.8.0 name them.
 */
const ownDetails: Readonly<Record<string, JsonObject>> = {
  thread_unsupported_request: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
  thread_not_found: { error_code: 'thread_not_found' },
}

/**
 * Renders the dialect's only error shape. The request id is repeated in the message text, so that a client
 * which shows only the message still shows the id.
 */
export function renderAnthropicError(request: ErrorRequest): RenderedError {
  const { status, message } = errorWords(request)
  const type = types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  const details =
    'problem' in request ? ownDetails[request.problem.code] : readUpstreamDetails(request)?.['details']
  const body = { type: 'error', error: { type, message, details }, request_id: request.requestId }
  return { status, body: Buffer.from(JSON.stringify(body)) }
}
