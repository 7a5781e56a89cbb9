import { randomBytes } from 'node:crypto'
import type { Reading } from '../dialect.ts'
import { TokenEstimate } from '../tokens/estimate.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75
/** The beginning of a string that stays in its place, so that its form is still recognised. */
export const KEPT_BYTES = 64 * 1024
/** The longest escape sequence. */
const ESCAPE_BYTES = 6
const NAME_BYTES_MAX = 32
/** More is not set aside, so the limits of those who read the rest hold. */
const BYTES_MAX = 64 * 1024 * 1024

/** Strings that are read as JSON, or shown to operators; they stay in their place, however long. */
const READ_INSIDE: ReadonlySet<string> = new Set(['arguments', 'input', 'message', 'partial_json'])
/** Strings whose tokens count. */
const COUNTED: ReadonlySet<string> = new Set([
  'content',
  'delta',
  'reasoning',
  'reasoning_content',
  'refusal',
  'text',
  'thinking',
  'transcript',
])

/** Random, so that no vendor can write one of them. */
const MARK = `aside-${randomBytes(12).toString('hex')}-`
const MARK_BYTES = Buffer.from(MARK)
const NUMBER_DIGITS = 6
const NOTHING = Buffer.alloc(0)

/**
 * Sets the greater part of very long strings in JSON aside, as it arrives, and puts it back into what is written. A
 * response of many megabytes is mostly one string, such as a picture, which passes from one dialect to the other
 * unchanged: without it the rest is parsed, converted and written in no time. What is set aside stays escaped as the
 * vendor wrote it.
 */
export class LongStrings {
  readonly #asides: Buffer[][] = []
  readonly #estimate = new TokenEstimate()
  #isInString = false
  #isEscaped = false
  /** The piece that is being read began behind a backslash. */
  #wasEscaped = false
  /** So much was set aside that nothing more is. */
  #isFull = false
  /** Length so far of the string that is open. */
  #length = 0
  /** The latest short string, which is the name of the next one. */
  #name = ''
  #text = ''
  #open: Buffer[] | undefined
  readonly #isKept: boolean
  /** Bytes that are set aside. */
  bytes = 0

  /** `isKept`: whether what is set aside is put back later; otherwise it is only counted. */
  constructor({ isKept = true }: { readonly isKept?: boolean } = {}) {
    this.#isKept = isKept
  }

  /** Estimated tokens of the texts that were set aside. */
  get tokens(): number {
    return this.#estimate.tokens
  }

  get isEmpty(): boolean {
    return this.#asides.length === 0
  }

  /** Follows bytes that stay in their place. */
  follow(bytes: Buffer): void {
    this.#read(bytes, true)
  }

  /** Takes the next bytes and returns those that stay, with marks for the rest. */
  push(bytes: Buffer): readonly Buffer[] {
    return this.#read(bytes, false)
  }

  /** Puts everything back: the pieces of what is to be sent. */
  restore(bytes: Buffer): readonly Buffer[] {
    let at = bytes.indexOf(MARK_BYTES)
    if (at < 0) return [bytes]
    const output: Buffer[] = []
    let start = 0
    for (; at >= 0; at = bytes.indexOf(MARK_BYTES, start)) {
      const end = at + MARK_BYTES.length + NUMBER_DIGITS
      if (at > start) output.push(bytes.subarray(start, at))
      output.push(...(this.#asides[Number(bytes.toString('latin1', at + MARK_BYTES.length, end))] ?? []))
      start = end
    }
    if (start < bytes.length) output.push(bytes.subarray(start))
    return output
  }

  #read(bytes: Buffer, isFollowing: boolean): Buffer[] {
    const output: Buffer[] = []
    let start = 0
    let at = 0
    while (at < bytes.length) {
      if (!this.#isInString) {
        const quote = bytes.indexOf(QUOTE, at)
        if (quote < 0) break
        this.#begin()
        at = quote + 1
        continue
      }
      const end = this.#findEnd(bytes, at)
      const stop = end < 0 ? bytes.length : end
      if (this.#open === undefined) {
        const cut = isFollowing ? -1 : this.#findCut(bytes, at, stop)
        if (cut >= 0) {
          if (cut > start) output.push(bytes.subarray(start, cut))
          this.#open = []
          this.#add(bytes.subarray(cut, stop))
          start = stop
        }
      } else if (this.bytes > BYTES_MAX) {
        this.#isFull = true
        output.push(this.#takeBack())
      } else {
        this.#add(bytes.subarray(at, stop))
        start = stop
      }
      this.#note(bytes, at, stop)
      at = stop
      if (end < 0) break
      const mark = this.#end()
      if (mark !== undefined) output.push(mark)
      at = end + 1
    }
    if (start < bytes.length) output.push(start === 0 ? bytes : bytes.subarray(start))
    return output
  }

  /** The position of the closing quote; -1 if it is not there. */
  #findEnd(bytes: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from
    this.#wasEscaped = this.#isEscaped
    this.#isEscaped = false
    for (;;) {
      const quote = bytes.indexOf(QUOTE, at)
      const stop = quote < 0 ? bytes.length : quote
      let escapes = 0
      while (stop - 1 - escapes >= at && bytes[stop - 1 - escapes] === BACKSLASH) escapes++
      const isEscaped = escapes % 2 === 1
      if (quote < 0) this.#isEscaped = isEscaped
      if (quote < 0 || !isEscaped) return quote
      at = quote + 1
    }
  }

  /** Where the string may be cut: not inside a character or an escape sequence. */
  #findCut(bytes: Buffer, from: number, stop: number): number {
    if (this.#isFull || this.#length + stop - from <= KEPT_BYTES || READ_INSIDE.has(this.#name)) return -1
    // An escape sequence that began in the piece before has ended by then.
    const least = Math.max(from + ESCAPE_BYTES, from + KEPT_BYTES - this.#length)
    for (let at = this.#wasEscaped ? from + 1 : from; at < stop;) {
      const byte = bytes[at] ?? 0
      if (at >= least && (byte & 0xc0) !== 0x80) return at
      at += byte !== BACKSLASH ? 1 : bytes[at + 1] === LETTER_U ? ESCAPE_BYTES : 2
    }
    return -1
  }

  #begin(): void {
    this.#isInString = true
    this.#length = 0
    this.#name = this.#text
    this.#text = ''
  }

  #note(bytes: Buffer, from: number, to: number): void {
    this.#length += to - from
    if (this.#length <= NAME_BYTES_MAX) this.#text += bytes.toString('latin1', from, to)
    else this.#text = ''
  }

  #add(piece: Buffer): void {
    if (piece.length === 0 || this.#open === undefined) return
    if (this.#isKept) {
      this.#open.push(piece)
      this.bytes += piece.length
    }
    if (COUNTED.has(this.#name)) this.#estimate.addText(piece.toString())
  }

  /** The string is over; returns the mark for what was set aside. */
  #end(): Buffer | undefined {
    this.#isInString = false
    if (this.#open === undefined) return undefined
    const number = String(this.#asides.push(this.#open) - 1).padStart(NUMBER_DIGITS, '0')
    this.#open = undefined
    return Buffer.from(MARK + number)
  }

  /** The line is over, and so is a string that was never closed. Returns what was set aside of that. */
  endLine(): Buffer {
    this.#isInString = false
    this.#isEscaped = false
    this.#text = ''
    return this.#takeBack()
  }

  #takeBack(): Buffer {
    const open = this.#open
    this.#open = undefined
    if (open === undefined) return NOTHING
    const back = Buffer.concat(open)
    this.bytes -= back.length
    return back
  }
}

/** The same reading with the tokens of texts that were set aside. */
export function addTokens(reading: Reading, tokens: number): Reading {
  if (tokens === 0) return reading
  const { usage, finish, isComplete, replyId, model, error } = reading
  return {
    usage,
    finish,
    isComplete,
    replyId,
    model,
    error,
    ...(reading.isEstimated === true && { isEstimated: true }),
    hasOutput: true,
    // Counting the rest may take a pass over all of it.
    get outputTokensCounted() {
      return reading.outputTokensCounted + tokens
    },
  }
}
