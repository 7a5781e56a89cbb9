import { problem } from '@tollgate/problems/problem'

const LF = 0x0a

/** Splits newline-delimited JSON, one value per line, that arrives in pieces. Blank lines are skipped. */
export class NdjsonReader {
  readonly #lineBytesMax: number
  #held: Buffer[] = []
  #heldBytes = 0

  constructor(options: { readonly lineBytesMax: number }) {
    this.#lineBytesMax = options.lineBytesMax
  }

  /**
   * Returns the lines that have become complete, without their line breaks. Throws `answer_too_large` for a
   * line over the limit.
   */
  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = []
    let start = 0
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      this.#hold(chunk.subarray(start, end))
      lines.push(...this.end())
      start = end + 1
    }
    this.#hold(chunk.subarray(start))
    return lines
  }

  /** Returns the last line, which may lack a line break. */
  end(): Buffer[] {
    const [first] = this.#held
    const line = this.#held.length === 1 && first !== undefined ? first : Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    return isBlank(line) ? [] : [line]
  }

  #hold(piece: Buffer): void {
    if (piece.length === 0) return
    this.#held.push(piece)
    this.#heldBytes += piece.length
    if (this.#heldBytes > this.#lineBytesMax) throw problem('answer_too_large', { limit: this.#lineBytesMax })
  }
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}
