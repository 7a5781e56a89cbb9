import { closeSync, fstatSync, openSync } from 'node:fs'
import { LOG_COLUMNS } from '../rows/log-columns.ts'
import { type DecodedLine, decodeLine, decodePrice, isPrice } from './decode-line.ts'
import { HEADER_BYTES, JOURNAL_FORMAT, type JournalHeader, parseHeader } from './file-header.ts'
import { type DamagedRange, type Frame, FrameReader } from './frame-reader.ts'

export interface JournalEntry extends DecodedLine {
  readonly offset: number
  readonly end: number
}

/** `unknown_line`: a whole frame that is no line of this format. Frame counts as in {@link DamagedRange}. */
export interface JournalGap extends DamagedRange {
  readonly reason: 'damaged' | 'unknown_line'
}

export interface JournalRange {
  readonly lines: readonly JournalEntry[]
  readonly gaps: readonly JournalGap[]
  /** Continue here. Equal to `to`, or the size of the file, when everything was read. */
  readonly end: number
}

export interface RangeLimits {
  /** End of a line; without it, the end of the file. */
  readonly to?: number
  readonly linesMax?: number
}

/**
 * Reads one file from its beginning to its end. Prices stand before their first line, so it cannot begin in
 * the middle: `skipTo` reads what is before without decoding the lines.
 */
export class JournalReader {
  /** `undefined` if it is damaged. Lines are then read with the log columns of this version. */
  readonly header: JournalHeader | undefined
  readonly #fd: number
  #frames: FrameReader
  readonly #prices = new Map<number, string>()
  #gaps: JournalGap[] = []

  /** Throws if the file cannot be read or has a newer format. */
  constructor(path: string) {
    this.#fd = openSync(path, 'r')
    this.#frames = this.#startFrames()
    try {
      this.header = this.#readHeader()
    } catch (error) {
      this.close()
      throw error
    }
  }

  get position(): number {
    return this.#frames.position
  }

  /** Gaps before this offset are not reported again. */
  skipTo(offset: number): void {
    if (offset === 0) return
    const limit = Math.min(offset, this.#size())
    for (let frame = this.#frames.next(limit); frame; frame = this.#frames.next(limit))
      if (isPrice(frame.payload)) this.#entryOf(frame)
    this.#gaps = []
  }

  read({ to = Infinity, linesMax = Infinity }: RangeLimits = {}): JournalRange {
    const lines: JournalEntry[] = []
    const limit = Math.min(to, this.#size())
    while (lines.length < linesMax) {
      const frame = this.#frames.next(limit)
      if (frame === undefined) break
      const entry = this.#entryOf(frame)
      if (entry !== undefined) lines.push(entry)
    }
    const gaps = this.#gaps
    this.#gaps = []
    return { lines, gaps, end: this.position }
  }

  close(): void {
    closeSync(this.#fd)
  }

  #startFrames(): FrameReader {
    return new FrameReader(this.#fd, (range) => this.#gaps.push({ reason: 'damaged', ...range }))
  }

  #size(): number {
    return fstatSync(this.#fd).size
  }

  #readHeader(): JournalHeader | undefined {
    const frame = this.#frames.next(Math.min(HEADER_BYTES, this.#size()))
    const header = frame && parseHeader(frame.payload)
    if (header !== undefined && header.format > JOURNAL_FORMAT) throw new NewerJournalError(header.format)
    if (header === undefined) this.#frames = this.#startFrames()
    this.#gaps = []
    return header
  }

  /** Keeps a price and returns `undefined`. */
  #entryOf({ offset, end, sequence, payload }: Frame): JournalEntry | undefined {
    const logColumns = this.header?.logColumns ?? LOG_COLUMNS
    try {
      if (!isPrice(payload))
        return { offset, end, ...decodeLine(payload, { logColumns, prices: this.#prices }) }
      const { index, priceJson } = decodePrice(payload)
      this.#prices.set(index, priceJson)
    } catch {
      const missing = { firstMissing: sequence, missing: 1, isTail: false }
      this.#gaps.push({ reason: 'unknown_line', from: offset, to: end, ...missing })
    }
    return undefined
  }
}

/** The file was written by a later version. */
export class NewerJournalError extends Error {
  override readonly name = 'NewerJournalError'

  constructor(format: number) {
    super(`the journal has format ${format}; this version reads formats up to ${JOURNAL_FORMAT}`)
  }
}

/** Reads a range of a file. A reader that continues should keep its {@link JournalReader}. */
export function readJournal(
  path: string,
  { from = 0, ...limits }: RangeLimits & { readonly from?: number } = {},
): JournalRange & { readonly header: JournalHeader | undefined } {
  const reader = new JournalReader(path)
  try {
    reader.skipTo(from)
    return { header: reader.header, ...reader.read(limits) }
  } finally {
    reader.close()
  }
}

/** A repeated line was folded if the position of a file in which it stood before has reached it. */
export function isFolded(entry: DecodedLine, positionOf: (fileId: string) => number): boolean {
  return entry.copyOf.some(({ fileId, end }) => positionOf(fileId) >= end)
}
