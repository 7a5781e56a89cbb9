import { renderOpenAiError, type ErrorRequest } from './error.ts'

/** A comment frame that keeps proxies and clients from giving up. */
export const keepAlive: Buffer = Buffer.from(': PING\n\n')

/**
 * The error frame that ends a stream already begun; it follows what the tap's `end` answered. No `[DONE]` comes after
 * it: the answer is not complete.
 */
export function streamError(request: ErrorRequest): Buffer {
  return Buffer.concat([Buffer.from('data: '), renderOpenAiError(request).body, Buffer.from('\n\n')])
}
