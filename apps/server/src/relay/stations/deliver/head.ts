import type { Call } from '../../call.ts'

/**
 * Response headers, as flat lists that Node writes unchanged. Of an upstream's headers only those in the
 * allow list are copied.
 */

const sameForAll = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'x-request-id, request-id, retry-after, x-should-retry, x-tollgate-cost, x-tollgate-dropped',
]

const EVENTS = 'text/event-stream; charset=utf-8'

const streaming = [
  'cache-control',
  'no-cache',
  // Tells nginx and similar proxies to pass frames on without buffering.
  'x-accel-buffering',
  'no',
]

export function streamHead(call: Call): string[] {
  const head = identify(['content-type', call.dialect.streamType ?? EVENTS, ...streaming], call)
  return withVendorHeaders(head, call)
}

/** Head of a sound response of unknown length; `nosniff` keeps browsers from treating it as a page. */
export function soundHead(call: Call, type: string): string[] {
  return identify(['content-type', type, 'x-content-type-options', 'nosniff', ...streaming], call)
}

/** Adds to `head` the vendor's headers that the caller may see. */
export function withVendorHeaders(head: string[], { vendorHeaders }: Call): string[] {
  for (const [name, value] of Object.entries(vendorHeaders)) head.push(name, value)
  return head
}

/** Head of a whole response of unknown length. */
export function openHead(call: Call, type: string): string[] {
  return identify(['content-type', type], call)
}

export function wholeHead(call: Call, body: { type: string; bytes: number }): string[] {
  const head = identify(['content-type', body.type, 'content-length', String(body.bytes)], call)
  if (call.cost !== undefined) head.push('x-tollgate-cost', call.cost)
  return head
}

/** Added to the head of an error, so that no cache keeps it and no browser treats it as a page. */
export const errorHead: readonly string[] = ['x-content-type-options', 'nosniff', 'cache-control', 'no-store']

/** Adds what every response has to `head`. */
function identify(head: string[], { id, isCrossOrigin, dropped, dialect }: Call): string[] {
  head.push('x-request-id', id, 'x-oneapi-request-id', id)
  // Where the libraries of Messages read the id: https://docs.anthropic.com/en/api/errors#request-id
  if (dialect.name === 'anthropic') head.push('request-id', id)
  if (dropped.length > 0) head.push('x-tollgate-dropped', dropped.join(', '))
  if (isCrossOrigin) head.push(...sameForAll)
  return head
}
