import { renderOpenAiError, type ErrorRequest } from '../errors/render-error.ts'

/** A comment frame that keeps proxies and clients from closing an idle connection. */
export const commentLine: Buffer = Buffer.from(': PING\n')

/**
 * Error frame that ends a stream which has already begun, sent after the output of the tap's `end`. No
 * `[DONE]` follows, because the response is not complete.
 */
export function streamError(request: ErrorRequest): Buffer {
  return Buffer.concat([Buffer.from('data: '), renderOpenAiError(request).body, Buffer.from('\n\n')])
}
