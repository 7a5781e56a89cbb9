import { sha256Hex } from '@tollgate/kit/ids'

const KEPT_MAX = 1_000
const KEPT_MS = 60_000

/**
 * The hashes of valid keys, for up to a minute, because a client sends the same key with each call. The time of a
 * look-up says nothing about how much of a guessed key is right: a map compares whole keys only if their hashes,
 * which differ from process to process, are the same.
 */
export class KeyHashes {
  readonly #hashes = new Map<string, string>()
  #forgetting: NodeJS.Timeout | undefined

  of(key: string): string {
    return this.#hashes.get(key) ?? sha256Hex(key)
  }

  /** To be called when a token has this key. */
  keep(key: string, hash: string): void {
    if (this.#hashes.has(key)) return
    if (this.#hashes.size >= KEPT_MAX) this.#hashes.clear()
    this.#hashes.set(key, hash)
    if (this.#forgetting === undefined) this.#forgetting = setTimeout(() => this.#forget(), KEPT_MS).unref()
  }

  #forget(): void {
    this.#hashes.clear()
    this.#forgetting = undefined
  }
}
