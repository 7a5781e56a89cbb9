/**
 * Values that may be used once: codes sent by mail, states of a sign-in elsewhere, challenges, nonces already seen. What
 * is kept here outlives neither its time nor a restart of everything. Keys and values may be seen by whoever operates the
 * store: a secret is put as its hash.
 */
export interface OneTime {
  /** False when the key is there already: then nothing was changed. */
  put(key: string, value: string, lifetimeMs: number): Promise<boolean>
  /** The value, and never again; `undefined` when it is unknown, too old or taken. */
  take(key: string): Promise<string | undefined>
}
