/** Beyond so many chunks or bytes they are copied into one buffer: a chunk of one byte costs as much to keep as a thousand. */
const CHUNKS_MAX = 16
const CHUNKED_BYTES_MAX = 256 * 1024
/** A buffer that is full becomes this much larger, so that no single copy is long. */
const GROWTH = 1.25

/** The bytes of a body as they come in, never holding much more than came. */
export class BodyBytes {
  readonly #bytesMax: number
  #chunks: Buffer[] = []
  #grown: Buffer | undefined
  size = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  add(chunk: Buffer): void {
    if (this.#grown !== undefined) this.#append(this.#grown, chunk)
    else this.#chunks.push(chunk)
    this.size += chunk.length
    if (this.#chunks.length > CHUNKS_MAX || (this.#grown === undefined && this.size > CHUNKED_BYTES_MAX))
      this.#grow(this.size)
  }

  /** What has come, to be looked at and not kept. */
  sofar(): Buffer {
    return this.whole()
  }

  whole(): Buffer {
    if (this.#grown !== undefined) return this.#grown.subarray(0, this.size)
    const [first] = this.#chunks
    return first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks, this.size)
  }

  clear(): void {
    this.#chunks = []
    if (this.#grown !== undefined) releaseBuffer(this.#grown)
    this.#grown = undefined
  }

  #append(grown: Buffer, chunk: Buffer): void {
    const needed = this.size + chunk.length
    const target = needed > grown.length ? this.#grow(needed) : grown
    chunk.copy(target, this.size)
  }

  #grow(needed: number): Buffer {
    const capacity = Math.max(needed, Math.min(this.#bytesMax, Math.ceil(needed * GROWTH)))
    // Not from the shared pool: a large body may be handed to another thread.
    const grown = Buffer.allocUnsafeSlow(capacity)
    let at = 0
    for (const piece of this.#grown === undefined ? this.#chunks : [this.whole()]) at += piece.copy(grown, at)
    this.clear()
    this.#grown = grown
    return grown
  }
}

/**
 * Frees a buffer's memory now, which nobody may use any more: the garbage collector comes too late for megabytes. One that
 * has moved to another thread is left alone.
 */
export function releaseBuffer({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
}
