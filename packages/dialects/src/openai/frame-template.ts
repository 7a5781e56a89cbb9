import { stringEnd } from '../json-scan.ts'
import { BytePattern } from '../byte-pattern.ts'
import type { TextKind } from './delta-members.ts'

/** A text in a chunk: its JSON string from the opening quote to just past the closing one. */
export interface TemplateText {
  readonly of: TextKind
  readonly from: number
  readonly to: number
}

/**
 * What is alike in the chunks of one stream: all bytes around the one text that changes, but for numbers behind it that
 * turned out to change too, such as places in a sequence and counts so far. A chunk of the same mould needs a few comparisons of memory instead of a walk
 * over its members.
 */
export class FrameTemplate {
  readonly of: TextKind
  /** What the scan of such a chunk answers. */
  readonly flags: number
  /** Up to and with the opening quote of the text. */
  readonly #before: BytePattern
  /** From the closing quote on; between two of them stands a number that changes. */
  readonly #behind: readonly BytePattern[]
  /** The same as words and numbers in turn; `undefined` for a number that changes. */
  readonly #parts: readonly (string | undefined)[]

  /** Copies what it needs, so that no chunk is kept alive. It learns from the mould that this chunk did not fit. */
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

  /** The place of the text's opening quote in a chunk of this mould; -1 for any other chunk. */
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

/** Whole numbers that are values. */
const NUMBER = /(?<=:)(\d+)(?=[,}\]])/

type Parts = readonly (string | undefined)[]

/** Parts are split at numbers, so that every second one is one. */
const isNumber = (place: number): boolean => place % 2 === 1

/** Where only numbers differ they are what changes, beside those that did before. */
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
