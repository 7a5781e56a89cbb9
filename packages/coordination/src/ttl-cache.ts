/**
 * Values worth keeping for a while, none of which anybody is owed: what was pushed out by newer ones, or lost with its
 * store, is done without. Keys and values may be seen by whoever operates the store.
 */
export interface TtlCache {
  /** Replaces what is there. Not waited for: a value that cannot be kept is lost. */
  put(key: string, value: string): void
  /** What is still there, by key. Never rejects: a store that is away has nothing. */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** For the memory of one process; in Redis its time alone ends a value, and whoever operates it says how much it keeps. */
export interface TtlCacheOptions {
  readonly lifetimeMs: number
  readonly entriesMax: number
  /** Of all keys and values. */
  readonly bytesMax: number
  /** A larger value is not kept. */
  readonly valueBytesMax: number
  /** Processes replace one another's values, so the shared store is asked each time. */
  readonly isReplaced?: boolean
}
