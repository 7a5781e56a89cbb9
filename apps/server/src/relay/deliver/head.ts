import type { Call } from '../call.ts'

/** Headers of answers, as flat lists that Node writes without touching them. Nothing of an upstream's is copied. */

const sameForAll = ['access-control-allow-origin', '*', 'access-control-expose-headers', 'x-request-id']

const EVENTS = 'text/event-stream; charset=utf-8'

const streaming = [
  'cache-control',
  'no-cache',
  // Tells nginx and its kin to pass frames on as they come.
  'x-accel-buffering',
  'no',
]

export function streamHead(call: Call): string[] {
  return ['content-type', call.dialect.streamType ?? EVENTS, ...streaming, ...identified(call)]
}

/** Of unknown length; nobody takes it for a page. */
export function soundHead(call: Call, type: string): string[] {
  return ['content-type', type, 'x-content-type-options', 'nosniff', ...streaming, ...identified(call)]
}

export function wholeHead(call: Call, body: { type: string; bytes: number }): string[] {
  return ['content-type', body.type, 'content-length', String(body.bytes), ...identified(call)]
}

/** Beside the head of an error: no cache keeps it, and no browser takes it for a page. */
export const errorHead: readonly string[] = ['x-content-type-options', 'nosniff', 'cache-control', 'no-store']

function identified({ id, isCrossOrigin }: Call): string[] {
  const ids = ['x-request-id', id, 'x-oneapi-request-id', id]
  return isCrossOrigin ? [...ids, ...sameForAll] : ids
}
