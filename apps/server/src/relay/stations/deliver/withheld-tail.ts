/** A few milliseconds of sound, so that withholding it does not delay the playback. */
const TAIL_BYTES = 256
const NOTHING = Buffer.alloc(0)

/** The last bytes of a response that passes in pieces; they wait until the call is settled. */
export class WithheldTail {
  readonly #tailBytes: number
  #bytes: Buffer = NOTHING

  constructor(tailBytes = TAIL_BYTES) {
    this.#tailBytes = tailBytes
  }

  /** Takes the next piece and returns the bytes that may be sent now. */
  push(piece: Buffer): Buffer {
    const all = this.#bytes.length === 0 ? piece : Buffer.concat([this.#bytes, piece])
    const end = Math.max(0, all.length - this.#tailBytes)
    // Copied, so that the whole piece is not kept in memory for it.
    this.#bytes = Buffer.from(all.subarray(end))
    return all.subarray(0, end)
  }

  /** Takes a piece of which nothing may be sent now. */
  keep(piece: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, piece])
  }

  rest(): Buffer {
    return this.#bytes
  }
}
