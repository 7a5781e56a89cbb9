import type { TokenEstimate } from '../tokens/estimate.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const ESCAPED_UNIT_DIGITS = 4

/** `keep`: the first bytes are kept. `pass`: nothing is kept. An estimate: the text is counted. */
export type StringUse = 'keep' | 'pass' | TokenEstimate

/** Reads a JSON string that arrives in pieces, cut anywhere, even within an escape. */
export class StringPieces {
  /** Bytes of the last string that was kept, with its escapes, up to the size of the buffer. */
  readonly kept: Buffer
  isOpen = false
  isEmpty = true
  #use: StringUse = 'pass'
  #size = 0
  /** After a backslash: the number of characters missing from the escape, and those that have arrived. */
  #missing = 0
  #escape = ''

  constructor(keptBytesMax: number) {
    this.kept = Buffer.alloc(keptBytesMax)
  }

  /** Full length of the last string that was kept; `kept` may contain less of it. */
  get keptBytes(): number {
    return this.#size
  }

  /** The last string that was kept; empty if it was too long. */
  text(): string {
    return this.#size > this.kept.length ? '' : this.kept.toString('utf8', 0, this.#size)
  }

  /** Call after the opening quote of a string. */
  open(use: StringUse): void {
    this.#use = use
    this.isOpen = true
    this.isEmpty = true
    if (use === 'keep') this.#size = 0
  }

  /** Returns the position just past the closing quote, or `end`. */
  push(bytes: Buffer, start: number, end: number): number {
    let at = start
    while (at < end) {
      if (this.#missing > 0) this.#continueEscape(bytes, at++)
      else {
        const plain = plainEnd(bytes, at, end)
        if (plain > at) this.#take(bytes, at, plain)
        at = plain
        if (at === end) return end
        if (bytes[at] === QUOTE) {
          this.isOpen = false
          return at + 1
        }
        this.#beginEscape(bytes, at++)
      }
    }
    return end
  }

  #take(bytes: Buffer, start: number, end: number): void {
    this.isEmpty = false
    if (this.#use === 'keep') this.#keep(bytes, start, end)
    else if (this.#use !== 'pass') this.#use.addJson(bytes, start, end)
  }

  #keep(bytes: Buffer, start: number, end: number): void {
    if (this.#size < this.kept.length) bytes.copy(this.kept, this.#size, start, end)
    this.#size += end - start
  }

  #beginEscape(bytes: Buffer, at: number): void {
    this.isEmpty = false
    this.#missing = 1
    this.#escape = ''
    if (this.#use === 'keep') this.#keep(bytes, at, at + 1)
  }

  #continueEscape(bytes: Buffer, at: number): void {
    if (this.#use === 'keep') this.#keep(bytes, at, at + 1)
    this.#escape += String.fromCharCode(bytes[at] ?? 0)
    this.#missing--
    if (this.#escape === 'u') this.#missing = ESCAPED_UNIT_DIGITS
    if (this.#missing === 0 && typeof this.#use !== 'string') this.#use.addText(unescaped(this.#escape))
  }
}

function plainEnd(bytes: Buffer, start: number, end: number): number {
  let at = start
  while (at < end && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++
  return at
}

/**
 * Decodes an escape for counting: line breaks and \u escapes are decoded, anything else counts as a
 * punctuation character.
 */
function unescaped(escape: string): string {
  if (escape === 'n' || escape === 't' || escape === 'r') return '\n'
  return escape.startsWith('u') ? String.fromCharCode(Number.parseInt(escape.slice(1), 16)) : '"'
}
