import type { TokenRequest } from './exchange.ts'

/**
 * How an expiring credential is refreshed. The old credential may be invalid as soon as the vendor has
 * responded, so the caller must make sure that only one refresh runs at a time, and must store the result.
 */
export interface KeyRenewal {
  /** When the key becomes valid and when it expires; `undefined` if the key does not contain these times. */
  readonly lifeOf: (key: string) => KeyLife | undefined
  /** Identifies the account of a key; the same for a key and all keys that replace it. */
  readonly holderOf: (key: string) => string
  /** `undefined`: the key cannot be refreshed. `place` is the channel's `other` field. */
  readonly request: (key: string, place: string) => TokenRequest | undefined
  readonly read: (
    answer: { readonly status: number; readonly body: Buffer },
    asked: { readonly key: string; readonly nowMs: number },
  ) => RenewalAnswer
  /** Parts of a key that must not appear in logs or messages, in addition to the whole key. */
  readonly secretsOf: (key: string) => readonly string[]
}

/** Times in milliseconds since the epoch. */
export interface KeyLife {
  readonly startsMs: number | undefined
  readonly endsMs: number
}

/**
 * `refused`: trying again is useless. `failed`: a later attempt may still refresh the old key. The messages
 * are the vendor's.
 */
export type RenewalAnswer =
  | { readonly type: 'renewed'; readonly key: string }
  | { readonly type: 'refused' | 'failed'; readonly message: string }

const DAY_MS = 24 * 60 * 60 * 1000
/** A key is refreshed when a quarter (1/4) of its lifetime is left. */
const LAST_PART = 4
/** A key this close to its end counts as expired, because it could expire before the call arrives. */
const MARGIN_MS = 60_000

/** Whether a key may expire before a call that starts now has arrived. */
export function isOver({ endsMs }: KeyLife, nowMs: number): boolean {
  return nowMs >= endsMs - MARGIN_MS
}

/** Whether a key should be refreshed: it is in its last day, or in the last quarter of a short lifetime. */
export function isDue({ startsMs, endsMs }: KeyLife, nowMs: number): boolean {
  const lifeMs = startsMs === undefined ? Infinity : endsMs - startsMs
  return nowMs >= endsMs - Math.max(MARGIN_MS, Math.min(DAY_MS, lifeMs / LAST_PART))
}
