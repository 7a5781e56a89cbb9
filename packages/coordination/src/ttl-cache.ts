/**
 * A TTL cache for values that can be lost: a value that was evicted, or lost with its store, is simply
 * missing. The operator of the store can read keys and values.
 */
export interface TtlCache {
  /**
   * Replaces an existing value. Fire and forget: a value that cannot be stored is lost. `lifetimeMs` is that of
   * the options by default.
   */
  put(key: string, value: string, lifetimeMs?: number): void
  /** Fire and forget, like `put`. */
  remove(key: string): void
  /**
   * One value, at once if this process knows it: calls that look one up each time should not wait for a promise.
   * Never rejects.
   */
  get(key: string): string | undefined | Promise<string | undefined>
  /** The values that are still present, by key. Never rejects: an unreachable store returns nothing. */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Removes every value; returns how many there were. Other processes may use their copies for `nearMs` more. */
  clear(): Promise<number>
  count(): Promise<number>
}

/**
 * Bounds for the memory of one process. In Redis only `lifetimeMs` applies; its memory limit is up to its
 * operator.
 */
export interface TtlCacheOptions {
  readonly lifetimeMs: number
  /** May be a getter for a limit that changes; processes that share a cache of their parent pass it on. */
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
  /**
   * Several processes write the same keys, but may use what they wrote or read for this long without reading the
   * shared store. A value that the store has lost since is lost; it is replaced by the own one only while the
   * store cannot be reached.
   */
  readonly nearMs?: number
}
