import { errorWords, type ErrorRequest, type RenderedError } from '../openai/error.ts'

/** The vendor's types, by which its clients choose an exception. https://docs.anthropic.com/en/api/errors */
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

/** The one error shape of the dialect; the request id is part of the message too, so that it survives any client. */
export function renderAnthropicError(request: ErrorRequest): RenderedError {
  const { status, message } = errorWords(request)
  const type = types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  const body = { type: 'error', error: { type, message }, request_id: request.requestId }
  return { status, body: Buffer.from(JSON.stringify(body)) }
}
