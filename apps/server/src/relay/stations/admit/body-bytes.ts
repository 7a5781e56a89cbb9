/**
 * Beyond this many chunks or bytes, the chunks are copied into one buffer, because a chunk of one byte costs
 * as much memory as one of a thousand.
 */
const CHUNKS_MAX = 16
const CHUNKED_BYTES_MAX = 256 * 1024
/** A full buffer grows by this factor, so that no single copy takes long. */
const GROWTH = 1.25

/** The bytes of a body as they arrive, without allocating much more than was received. */
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

  /** The bytes received so far. More may be written into the same memory; do not keep it until all are there. */
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
    // Not from Node's shared pool, because a large body may be transferred to another thread.
    const grown = Buffer.allocUnsafeSlow(capacity)
    let at = 0
    for (const piece of this.#grown === undefined ? this.#chunks : [this.whole()]) at += piece.copy(grown, at)
    this.clear()
    this.#grown = grown
    return grown
  }
}

/**
 * Frees a buffer's memory at once, because the garbage collector is too slow for megabytes. The buffer must
 * not be used afterwards. A buffer that was transferred to another thread is left alone.
 */
export function releaseBuffer({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
}
