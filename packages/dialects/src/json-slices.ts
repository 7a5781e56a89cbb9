import { setImmediate as nextTurn } from 'node:timers/promises'
import { problem } from '@tollgate/kit/problem'
import { isRecord } from './json.ts'

/** Work of one turn of the event loop, in bytes; every value counts for some beside its own. */
const WORK_PER_TURN = 256 * 1024
const WORK_PER_VALUE = 64
/** Texts and lists of numbers are read in pieces of this size. */
const TEXT_BYTES = 256 * 1024
const NUMBERS_BYTES = 8 * 1024
/** Nobody writes longer numbers, and reading one cannot be interrupted. */
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
 * What `JSON.parse` makes of the bytes of an object, a little at a time: between the pieces the event loop goes on with
 * other calls. The bytes must be JSON that `JSON.parse` accepts; what it would refuse is not looked for again. Rejects
 * with a problem for a number of more than 1,024 digits.
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
  /** Of a text that is being read. */
  #pieces: string[] | undefined
  result: unknown

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Does one turn's work; true when everything is read. */
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

  /** Signs and spaces between values. There may be millions of them: at most a turn's work. */
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
      // As JSON.parse has it: `__proto__` is a name like any other.
      if (this.#name === '__proto__') define(parent, value)
      else parent[this.#name ?? ''] = value
      this.#name = undefined
    }
  }

  /** The next piece. It does not end inside of an escape or of a character; halves of pairs find each other when joined. */
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
    // Not joined: that would hold every piece twice until the next collection.
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

  /** Numbers and words that stand in a row in a list. */
  #list(): void {
    const bytes = this.#bytes
    const start = this.#at
    const limit = Math.min(bytes.length, start + NUMBERS_BYTES)
    let at = start
    let lastComma = -1
    for (; at < limit && !isBracketOrQuote(bytes[at]); at++) if (bytes[at] === COMMA) lastComma = at
    if (lastComma < 0) return this.#add(this.#scalar())
    // Behind the last comma another value may begin, or go on.
    this.#at = lastComma
    const values: unknown = JSON.parse(`[${bytes.toString('latin1', start, lastComma)}]`)
    if (Array.isArray(values)) for (const value of values) this.#add(value)
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
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

/** The place at or before `at` where a character begins: in UTF-8 only the first byte of each has not these two bits. */
function characterStart(bytes: Buffer, at: number): number {
  let start = at
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  return start
}

function define(target: object, value: unknown): void {
  Object.defineProperty(target, '__proto__', { value, configurable: true, enumerable: true, writable: true })
}
