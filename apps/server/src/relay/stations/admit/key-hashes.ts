import { sha256Hex } from '@tollgate/kit/ids'

const KEPT_MAX = 1_000
const KEPT_MS = 60_000

/**
 * The hashes of keys that were valid within the last minute, because a client sends the same key with each call. The
 * time of a look-up says nothing about how much of a guessed key is right: a map compares whole keys only if their
 * hashes, which differ from process to process, are the same.
 */
export class KeyHashes {
  readonly #hashes = new Map<string, string>()
  #sinceMs = 0

  of(key: string): string {
    return this.#hashes.get(key) ?? sha256Hex(key)
  }

  /** To be called when a token has this key. */
  keep(key: string, hash: string, nowMs: number): void {
    if (this.#hashes.size >= KEPT_MAX || nowMs - this.#sinceMs >= KEPT_MS) {
      this.#hashes.clear()
      this.#sinceMs = nowMs
    }
    if (!this.#hashes.has(key)) this.#hashes.set(key, hash)
  }
}
