import { renderOpenAiError, type ErrorRequest } from '../errors/render-error.ts'

/**
 * Error frame that ends a stream which has already begun, sent after the output of the tap's `end`. No
 * `[DONE]` follows, because the response is not complete.
 */
export function streamError(request: ErrorRequest): Buffer {
  return Buffer.concat([Buffer.from('data: '), renderOpenAiError(request).body, Buffer.from('\n\n')])
}
