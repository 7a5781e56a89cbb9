import { invalidResponse } from './invalid-response.ts'

const CR = 0x0d
const LF = 0x0a
const TAB = 0x09
const SPACE = 0x20
const SEMICOLON = 0x3b
const DELETE = 0x7f
/** Up to 4 GiB. */
const SIZE_DIGITS_MAX = 8
/** Of the extensions of one chunk, and of all trailer fields. */
const SKIPPED_BYTES_MAX = 4096

type State =
  | 'size'
  | 'extension'
  | 'size-lf'
  | 'data'
  | 'data-cr'
  | 'data-lf'
  | 'trailer-line'
  | 'trailer'
  | 'trailer-lf'
  | 'end-lf'
  | 'over'

const NOTHING = Buffer.alloc(0)

/**
 * Removes the framing of a chunked body, https://www.rfc-editor.org/rfc/rfc9112#section-7.1. Extensions and trailer
 * fields are skipped. Lines must end with CRLF, so that no other program can find other chunks.
 */
export class ChunkedBody {
  #state: State = 'size'
  /** Bytes of the chunk that have not arrived. */
  #size = 0
  #digits = 0
  #skipped = 0
  #hasSurplus = false

  /** The last chunk and the trailer section have arrived. */
  get isOver(): boolean {
    return this.#state === 'over'
  }

  /** Bytes followed the end of the body. */
  get hasSurplus(): boolean {
    return this.#hasSurplus
  }

  /**
   * Returns the data of all chunks in these bytes as one part of the same buffer: data of later chunks is moved to the
   * end of the first one's, which costs less than to hand on many small pieces. Throws `HTTPParserError`.
   */
  read(bytes: Buffer): Buffer {
    let start = 0
    let end = 0
    for (let at = 0; at < bytes.length;) {
      const state = this.#state
      if (state === 'data') {
        const next = Math.min(at + this.#size, bytes.length)
        if (end === 0) start = end = at
        if (end !== at) bytes.copyWithin(end, at, next)
        end += next - at
        this.#size -= next - at
        if (this.#size === 0) this.#state = 'data-cr'
        at = next
      } else if (state === 'over') {
        this.#hasSurplus = true
        break
      } else {
        this.#step(state, bytes[at] ?? 0)
        at++
      }
    }
    return end === start ? NOTHING : bytes.subarray(start, end)
  }

  /** Takes a byte that is no data. */
  #step(state: Exclude<State, 'data' | 'over'>, byte: number): void {
    switch (state) {
      case 'size':
        return this.#readSize(byte)
      case 'extension':
        if (byte === CR) return this.#to('size-lf')
        return this.#skip(byte)
      case 'size-lf':
        return this.#expect(LF, byte, this.#size === 0 ? 'trailer-line' : 'data')
      case 'data-cr':
        return this.#expect(CR, byte, 'data-lf')
      case 'data-lf':
        this.#digits = this.#skipped = 0
        return this.#expect(LF, byte, 'size')
      case 'trailer-line':
        if (byte === CR) return this.#to('end-lf')
        this.#state = 'trailer'
        return this.#skip(byte)
      case 'trailer':
        if (byte === CR) return this.#to('trailer-lf')
        return this.#skip(byte)
      case 'trailer-lf':
        return this.#expect(LF, byte, 'trailer-line')
      case 'end-lf':
        return this.#expect(LF, byte, 'over')
    }
  }

  #readSize(byte: number): void {
    const digit = hexDigit(byte)
    if (digit !== -1 && ++this.#digits <= SIZE_DIGITS_MAX) this.#size = this.#size * 16 + digit
    else if (digit === -1 && this.#digits > 0 && byte === CR) this.#state = 'size-lf'
    else if (digit === -1 && this.#digits > 0 && byte === SEMICOLON) this.#state = 'extension'
    else throw invalidResponse('the size of a chunk', 'INVALID_CHUNK_SIZE')
  }

  #to(state: State): void {
    this.#state = state
  }

  #expect(wanted: number, byte: number, next: State): void {
    if (byte !== wanted) throw invalidResponse('the end of a line or chunk', 'STRICT')
    this.#state = next
  }

  #skip(byte: number): void {
    const isControl = (byte < SPACE && byte !== TAB) || byte === DELETE
    if (isControl || ++this.#skipped > SKIPPED_BYTES_MAX)
      throw invalidResponse('a chunk extension or the trailer section', 'INVALID_CHUNK_SIZE')
  }
}

/** The value of a hexadecimal digit; -1 for any other byte. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
