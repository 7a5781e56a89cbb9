import type { TokenEstimate } from '../tokens/estimate.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const ESCAPED_UNIT_DIGITS = 4

/** `keep`: its first bytes are wanted. `pass`: nothing is. A text is counted. */
export type StringUse = 'keep' | 'pass' | TokenEstimate

/** A JSON string that comes in pieces, cut anywhere, also within an escape. */
export class StringPieces {
  /** The bytes of the last string that was kept, escapes and all, as far as they fit. */
  readonly kept: Buffer
  isOpen = false
  isEmpty = true
  #use: StringUse = 'pass'
  #size = 0
  /** After a backslash: characters that its escape still lacks, and those that came. */
  #missing = 0
  #escape = ''

  constructor(keptBytesMax: number) {
    this.kept = Buffer.alloc(keptBytesMax)
  }

  /** Length of the last string that was kept, though `kept` may hold less of it. */
  get keptBytes(): number {
    return this.#size
  }

  /** The last string that was kept; empty when it was too long. */
  text(): string {
    return this.#size > this.kept.length ? '' : this.kept.toString('utf8', 0, this.#size)
  }

  /** After its opening quote. */
  open(use: StringUse): void {
    this.#use = use
    this.isOpen = true
    this.isEmpty = true
    if (use === 'keep') this.#size = 0
  }

  /** Answers the place just past the closing quote, or `end`. */
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

/** What is neither a break nor a unit counts as a sign. */
function unescaped(escape: string): string {
  if (escape === 'n' || escape === 't' || escape === 'r') return '\n'
  return escape.startsWith('u') ? String.fromCharCode(Number.parseInt(escape.slice(1), 16)) : '"'
}
