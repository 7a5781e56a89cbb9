/**
 * Bytes that are often compared at a given position, four at a time. For pieces of a few dozen bytes this
 * takes half the time of a byte-by-byte loop, and avoids the call overhead of the built-in comparison.
 */
export class BytePattern {
  readonly length: number
  readonly #bytes: Buffer
  /** If the length is not a multiple of four, the last word overlaps the one before. */
  readonly #words: Int32Array

  /** Keeps a reference to `bytes`, which must not change. */
  constructor(bytes: Buffer) {
    this.length = bytes.length
    this.#bytes = bytes
    this.#words = Int32Array.from({ length: Math.ceil(bytes.length / WORD) }, (_, place) =>
      bytes.length < WORD ? 0 : bytes.readInt32LE(Math.min(place * WORD, bytes.length - WORD)),
    )
  }

  /** Whether the bytes at `start` are equal. `start + length` must not exceed the length of `bytes`. */
  isAt(bytes: Buffer, start: number): boolean {
    if (this.length < WORD) return this.#isShortAt(bytes, start)
    const view = viewOf(bytes)
    const words = this.#words
    const last = words.length - 1
    const from = bytes.byteOffset + start
    for (let place = 0; place < last; place++) {
      if (view.getInt32(from + place * WORD, true) !== words[place]) return false
    }
    return view.getInt32(from + this.length - WORD, true) === words[last]
  }

  #isShortAt(bytes: Buffer, start: number): boolean {
    for (let at = 0; at < this.length; at++) if (bytes[start + at] !== this.#bytes[at]) return false
    return true
  }
}

const WORD = 4

/** View of the memory that was compared last: many chunks of one network read share the same memory. */
let memory: ArrayBufferLike = new ArrayBuffer(0)
let view = new DataView<ArrayBufferLike>(memory)

function viewOf({ buffer }: Buffer): DataView {
  if (memory !== buffer) {
    memory = buffer
    view = new DataView(buffer)
  }
  return view
}
