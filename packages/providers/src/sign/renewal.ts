import type { TokenRequest } from './exchange.ts'

/**
 * How a key that ends is exchanged for the one that follows it. The old one may be worthless as soon as the vendor has
 * answered, so whoever asks must be the only one to ask, and must keep the answer.
 */
export interface KeyRenewal {
  /** When the key begins and ceases to work; `undefined`: it does not tell. */
  readonly lifeOf: (key: string) => KeyLife | undefined
  /** The same for a key and all that follow it: whose it is. */
  readonly holderOf: (key: string) => string
  /** `undefined`: there is nothing to renew it with. `place` is the channel's `other`. */
  readonly request: (key: string, place: string) => TokenRequest | undefined
  readonly read: (
    answer: { readonly status: number; readonly body: Buffer },
    asked: { readonly key: string; readonly nowMs: number },
  ) => RenewalAnswer
  /** What of a key must not be repeated to anybody, beside the whole of it. */
  readonly secretsOf: (key: string) => readonly string[]
}

/** Milliseconds since the epoch. */
export interface KeyLife {
  readonly startsMs: number | undefined
  readonly endsMs: number
}

/** `refused`: asking again is of no use. `failed`: the old key may still be renewed. The texts are the vendor's. */
export type RenewalAnswer =
  | { readonly type: 'renewed'; readonly key: string }
  | { readonly type: 'refused' | 'failed'; readonly message: string }

const DAY_MS = 24 * 60 * 60 * 1000
/** Of its life, what is left when its successor is asked for. */
const LAST_PART = 4
/** A call would meet its end on the way. */
const MARGIN_MS = 60_000

/** It may end before a call that begins now has arrived. */
export function isOver({ endsMs }: KeyLife, nowMs: number): boolean {
  return nowMs >= endsMs - MARGIN_MS
}

/** It is in its last day, or in the last part of a short life. */
export function isDue({ startsMs, endsMs }: KeyLife, nowMs: number): boolean {
  const lifeMs = startsMs === undefined ? Infinity : endsMs - startsMs
  return nowMs >= endsMs - Math.max(MARGIN_MS, Math.min(DAY_MS, lifeMs / LAST_PART))
}
