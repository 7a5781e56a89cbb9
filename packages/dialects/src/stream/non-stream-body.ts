/** First bytes of a JSON text or an HTML page. */
const STARTS: ReadonlySet<number> = new Set(Buffer.from('{[<'))
const BYTE_ORDER_MARK: ReadonlySet<number> = new Set(Buffer.from('\ufeff'))
const BYTES_MAX = 32 * 1024 * 1024
const TOO_LONG = Buffer.from('{')

/** A response body that is not the requested stream: a JSON error, a whole response, or an HTML page. */
export class NonStreamBody {
  readonly #bytesMax: number
  readonly #chunks: Buffer[] = []
  #size = 0

  constructor(bytesMax = BYTES_MAX) {
    this.#bytesMax = bytesMax
  }

  /**
   * Decides by the first visible byte; a byte order mark is none. `undefined`: there was only white space so
   * far.
   */
  static isNonStream(chunk: Buffer): boolean | undefined {
    const first = chunk.find((byte) => byte > 0x20 && !BYTE_ORDER_MARK.has(byte))
    return first === undefined ? undefined : STARTS.has(first)
  }

  /** A body over the limit can be neither forwarded nor converted, so its bytes are discarded. */
  add(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size <= this.#bytesMax) this.#chunks.push(chunk)
  }

  /** The whole body; for one over the limit a text that is no JSON, so that it is read as an error. */
  bytes(): Buffer {
    return this.#size > this.#bytesMax ? TOO_LONG : Buffer.concat(this.#chunks)
  }
}
