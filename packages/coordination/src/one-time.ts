/**
 * Values that can be used once: mailed codes, OAuth states, challenges, nonces already seen. A value is lost
 * when it expires or when its store restarts. The operator of the store can read keys and values, so store a
 * secret as its hash.
 */
export interface OneTime {
  /** Resolves to false when the key exists already; nothing is changed then. */
  put(key: string, value: string, lifetimeMs: number): Promise<boolean>
  /** Returns the value and removes it; `undefined` when it is unknown, expired or already taken. */
  take(key: string): Promise<string | undefined>
}
