import { stringEnd } from '../json-scan.ts'
import { BytePattern } from '../byte-pattern.ts'
import type { TextKind } from './delta-members.ts'

/** Position of a text in a chunk: from the opening quote of its JSON string to just past the closing one. */
export interface TemplateText {
  readonly of: TextKind
  readonly from: number
  readonly to: number
}

/**
 * Template of the chunks of one stream: all bytes around the one text that changes, except numbers after it
 * that have been seen to change too, such as sequence numbers and running counts. Matching a chunk with the
 * template takes a few memory comparisons instead of a scan of its members.
 */
export class FrameTemplate {
  readonly of: TextKind
  /** Result of the scan for a chunk that matches. */
  readonly flags: number
  /** Bytes up to and including the opening quote of the text. */
  readonly #before: BytePattern
  /** Bytes from the closing quote on, split at numbers that change. */
  readonly #behind: readonly BytePattern[]
  /** The same bytes as alternating texts and numbers; `undefined` for a number that changes. */
  readonly #parts: readonly (string | undefined)[]

  /**
   * Copies what it needs, so that no chunk is kept in memory. `unfit` is the previous template, which did not
   * match this chunk: numbers that differ between the two become variable.
   */
  constructor(
    chunk: { readonly bytes: Buffer; readonly start: number; readonly end: number },
    text: TemplateText,
    flags: number,
    unfit?: FrameTemplate,
  ) {
    const { bytes, start, end } = chunk
    this.of = text.of
    this.flags = flags
    this.#before = new BytePattern(Buffer.from(bytes.subarray(start, text.from + 1)))
    const parts = bytes.toString('latin1', text.to - 1, end).split(NUMBER)
    this.#parts = unfit === undefined ? parts : learned(parts, unfit.#parts)
    this.#behind = piecesOf(this.#parts)
  }

  /** Returns the position of the text's opening quote in a chunk that matches; -1 for any other chunk. */
  find(bytes: Buffer, start: number, end: number): number {
    const quote = start + this.#before.length - 1
    if (quote >= end || !this.#before.isAt(bytes, start)) return -1
    return this.#isBehind(bytes, stringEnd(bytes, quote) - 1, end) ? quote : -1
  }

  #isBehind(bytes: Buffer, close: number, end: number): boolean {
    let at = close
    for (const piece of this.#behind) {
      if (at > close) {
        const digits = at
        while (isDigit(bytes[at])) at++
        if (at === digits) return false
      }
      if (at + piece.length > end || !piece.isAt(bytes, at)) return false
      at += piece.length
    }
    return at === end
  }
}

/** Whole numbers that are values of members. */
const NUMBER = /(?<=:)(\d+)(?=[,}\]])/

type Parts = readonly (string | undefined)[]

/** The text was split at numbers, so every second part is a number. */
const isNumber = (place: number): boolean => place % 2 === 1

/** If two chunks differ only in numbers, those numbers become variable, in addition to earlier ones. */
function learned(parts: Parts, before: Parts): Parts {
  const isAlike =
    parts.length === before.length && parts.every((part, at) => isNumber(at) || part === before[at])
  return isAlike ? parts.map((part, at) => (part === before[at] ? part : undefined)) : parts
}

function piecesOf(parts: Parts): BytePattern[] {
  const pieces = ['']
  for (const part of parts) {
    if (part === undefined) pieces.push('')
    else pieces.push(`${pieces.pop() ?? ''}${part}`)
  }
  return pieces.map((piece) => new BytePattern(Buffer.from(piece, 'latin1')))
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}
