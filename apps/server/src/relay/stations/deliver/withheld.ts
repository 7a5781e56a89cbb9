/** Bytes after the first frames of the end. The end of a stream is much smaller; so are most whole streams. */
const MORE_BYTES_MAX = 256 * 1024
/** Upstreams send the rest within milliseconds after the finish reason. */
const WAIT_MS = 2_000

/**
 * The frames of the end of a stream, which wait until the call is settled. If the rest takes too long or is
 * too much, they are released, and no further ones are withheld until it is reopened.
 */
export class Withheld {
  #frames: Buffer[] = []
  #since: number | undefined
  #moreBytes = 0
  #isReleased = false

  /** Whether frames of the end are withheld from now on. */
  get isOpen(): boolean {
    return !this.#isReleased
  }

  add(frames: readonly Buffer[], now: number): void {
    // The first frames are whatever the upstream sent at once, for example an image.
    if (this.#since !== undefined) for (const { length } of frames) this.#moreBytes += length
    this.#since ??= now
    this.#frames.push(...frames)
  }

  isDue(now: number): boolean {
    if (this.#since === undefined || this.#isReleased) return false
    return this.#moreBytes > MORE_BYTES_MAX || now - this.#since >= WAIT_MS
  }

  /** Withholds frames again, from the next ones on. */
  reopen(): void {
    this.#isReleased = false
    this.#since = undefined
    this.#moreBytes = 0
  }

  release(): readonly Buffer[] {
    this.#isReleased = true
    const frames = this.#frames
    this.#frames = []
    return frames
  }
}
