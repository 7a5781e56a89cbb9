import { setImmediate as nextTurn } from 'node:timers/promises'
import { problem } from '@tollgate/problems/problem'
import { isRecord } from './json.ts'
import { isSpace } from './json-scan.ts'

/**
 * Bytes processed per iteration of the event loop. Every value counts as `WORK_PER_VALUE` bytes in addition
 * to its own.
 */
const WORK_PER_TURN = 256 * 1024
const WORK_PER_VALUE = 64
/** Strings and lists of numbers are read in pieces of this size. */
const TEXT_BYTES = 256 * 1024
const NUMBERS_BYTES = 8 * 1024
/** Maximum digits of a number. Reading one cannot be interrupted, and no real request has a longer one. */
const NUMBER_BYTES_MAX = 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const COMMA = 0x2c
const COLON = 0x3a

/**
 * Parses the bytes of a JSON object like `JSON.parse`, but a piece at a time, so that the event loop can
 * serve other calls in between. The bytes must be JSON that `JSON.parse` accepts; they are not validated
 * again. Rejects with a problem for a number of more than 1,024 digits.
 */
export async function parseInSlices(bytes: Buffer): Promise<Record<string, unknown>> {
  const parser = new SliceParser(bytes)
  while (!parser.step()) await nextTurn()
  return isRecord(parser.result) ? parser.result : {}
}

type Container = unknown[] | Record<string, unknown>

class SliceParser {
  readonly #bytes: Buffer
  readonly #open: Container[] = []
  #name: string | undefined
  #at = 0
  /** Pieces of the string that is being read. */
  #pieces: string[] | undefined
  result: unknown

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Does the work of one iteration of the event loop; true when everything has been read. */
  step(): boolean {
    const bytes = this.#bytes
    let left = WORK_PER_TURN
    while (left > 0) {
      const from = this.#at
      if (from >= bytes.length) return true
      if (this.#pieces !== undefined) this.#continueText(this.#pieces)
      else this.#token(bytes[from])
      left -= this.#at - from + WORK_PER_VALUE
    }
    return false
  }

  #token(byte: number | undefined): void {
    if (byte === QUOTE) {
      this.#at++
      this.#pieces = []
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      const container: Container = byte === OPEN_BRACE ? {} : []
      this.#at++
      this.#add(container)
      this.#open.push(container)
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      this.#at++
      this.#open.pop()
    } else if (byte === COMMA || byte === COLON || isSpace(byte)) this.#skip()
    else if (Array.isArray(this.#open.at(-1))) this.#list()
    else this.#add(this.#scalar())
  }

  /**
   * Skips separators and white space between values. There may be millions of them, so it skips at most one
   * iteration's work.
   */
  #skip(): void {
    const end = Math.min(this.#bytes.length, this.#at + WORK_PER_TURN)
    for (; this.#at < end; this.#at++) {
      const byte = this.#bytes[this.#at]
      if (byte !== COMMA && byte !== COLON && !isSpace(byte)) return
    }
  }

  #add(value: unknown): void {
    const parent = this.#open.at(-1)
    if (parent === undefined) this.result = value
    else if (Array.isArray(parent)) parent.push(value)
    else {
      // Like JSON.parse: `__proto__` is an ordinary member name.
      if (this.#name === '__proto__') define(parent, value)
      else parent[this.#name ?? ''] = value
      this.#name = undefined
    }
  }

  /**
   * Reads the next piece. A piece does not end inside an escape or inside a UTF-8 character; halves of an
   * escaped surrogate pair are reunited when the pieces are concatenated.
   */
  #continueText(pieces: string[]): void {
    const bytes = this.#bytes
    const start = this.#at
    const limit = Math.min(bytes.length, start + TEXT_BYTES)
    let at = start
    let hasEscape = false
    while (at < limit && bytes[at] !== QUOTE) {
      if (bytes[at] === BACKSLASH) {
        hasEscape = true
        at += bytes[at + 1] === LETTER_U ? 6 : 2
      } else at++
    }
    const isEnd = bytes[at] === QUOTE
    if (!isEnd) at = characterStart(bytes, at)
    const raw = bytes.toString('utf8', start, at)
    pieces.push(hasEscape ? String(JSON.parse(`"${raw}"`)) : raw)
    this.#at = isEnd ? at + 1 : at
    if (!isEnd) return
    this.#pieces = undefined
    // Not `join`: that would hold every piece twice until the next garbage collection.
    this.#endText(pieces.reduce((text, piece) => text + piece, ''))
  }

  #endText(text: string): void {
    const parent = this.#open.at(-1)
    if (parent === undefined || Array.isArray(parent) || this.#name !== undefined) this.#add(text)
    else this.#name = text
  }

  #scalar(): unknown {
    const start = this.#at
    let at = start
    while (at < this.#bytes.length && !isEndOfScalar(this.#bytes[at])) at++
    if (at - start > NUMBER_BYTES_MAX) throw problem('unmarshal_request_failed')
    this.#at = at
    return JSON.parse(this.#bytes.toString('latin1', start, at))
  }

  /** Reads consecutive numbers and literals in a list. */
  #list(): void {
    const bytes = this.#bytes
    const start = this.#at
    const limit = Math.min(bytes.length, start + NUMBERS_BYTES)
    let at = start
    let lastComma = -1
    for (; at < limit && !isBracketOrQuote(bytes[at]); at++) if (bytes[at] === COMMA) lastComma = at
    if (lastComma < 0) return this.#add(this.#scalar())
    // Stops at the last comma: the value after it may be another type, or continue in the next piece.
    this.#at = lastComma
    const values: unknown = JSON.parse(`[${bytes.toString('latin1', start, lastComma)}]`)
    if (Array.isArray(values)) for (const value of values) this.#add(value)
  }
}

function isBracketOrQuote(byte: number | undefined): boolean {
  return (
    byte === QUOTE ||
    byte === OPEN_BRACE ||
    byte === OPEN_BRACKET ||
    byte === CLOSE_BRACE ||
    byte === CLOSE_BRACKET
  )
}

function isEndOfScalar(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte)
}

/**
 * Returns the position at or before `at` where a character begins: in UTF-8 all other bytes begin with the
 * bits `10`.
 */
function characterStart(bytes: Buffer, at: number): number {
  let start = at
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  return start
}

function define(target: object, value: unknown): void {
  Object.defineProperty(target, '__proto__', { value, configurable: true, enumerable: true, writable: true })
}
