/**
 * A TTL cache for values that can be lost: a value that was evicted, or lost with its store, is simply
 * missing. The operator of the store can read keys and values.
 */
export interface TtlCache {
  /** Replaces an existing value. Fire and forget: a value that cannot be stored is lost. */
  put(key: string, value: string): void
  /** The values that are still present, by key. Never rejects: an unreachable store returns nothing. */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/**
 * Bounds for the memory of one process. In Redis only `lifetimeMs` applies; its memory limit is up to its
 * operator.
 */
export interface TtlCacheOptions {
  readonly lifetimeMs: number
  readonly entriesMax: number
  /** Total bytes of all keys and values. */
  readonly bytesMax: number
  /** A larger value is not stored. */
  readonly valueBytesMax: number
  /**
   * Several processes write the same keys, so the shared store is read every time, even for a value that this
   * process stored.
   */
  readonly isReplaced?: boolean
}
