import { isAt } from './bytes-at.ts'

const LF = 0x0a
const CR = 0x0d
const COLON = 0x3a
const SPACE = 0x20
/** Names of events are short; what is longer and still without data is none. */
const NAME_BYTES_MAX = 4096
const NOTHING = Buffer.alloc(0)
const NEWLINE = Buffer.from('\n')
const DATA = Buffer.from('data:')

/**
 * What becomes of a data line: it goes on as it came, is left out, or something else goes out in its place. `end`: it is
 * left out, and nothing goes out after it but the blank line that what went before still waits for.
 */
export type LineVerdict = 'keep' | 'drop' | 'end' | Buffer

type Edit = Exclude<LineVerdict, 'end'>

export interface SseEditorOptions {
  /** The payload of one data line, without its line break. */
  readonly onData: (bytes: Buffer, start: number, end: number, line: DataLine) => LineVerdict
  /** A data line too long to be kept back passes in pieces; told of each, from the field's name on. */
  readonly onLongLine?: (bytes: Buffer, start: number, end: number) => void
  /** The line is through, or the stream ended in it. */
  readonly onLongLineEnd?: () => void
  /** Bytes of an unfinished line kept back. */
  readonly bufferedBytesMax: number
  /**
   * An `event:` line goes out with its data, never before it, and not at all where something else goes out in the place
   * of the data. Default false: it is a line like any other.
   */
  readonly pairsEventLines?: boolean
}

/** What is known of a data line beside its payload. */
export interface DataLine {
  /** The stream ended before the line break. */
  readonly isCutOff: boolean
  /** An `event:` line stands before it, and goes out with it; told where event lines are paired. */
  readonly isNamed: boolean
}

const PLAIN: DataLine = { isCutOff: false, isNamed: false }
const NAMED: DataLine = { isCutOff: false, isNamed: true }
const CUT_OFF: DataLine = { isCutOff: true, isNamed: false }
const NAMED_CUT_OFF: DataLine = { isCutOff: true, isNamed: true }

/**
 * The one parser of server-sent events. It edits a stream line by line: what it keeps are the very buffers that came in,
 * or windows on them; nothing is copied but a line that two chunks share. Only whole lines go out.
 *
 * Vendors of the dialects we speak put one event into one data line, and some forget the blank line behind it; so a data
 * line, not a frame, is what is judged. Lines end with LF or CR LF. Comments, `event:`, `id:` and `retry:` lines are
 * kept, lines that mean nothing to a reader of events are not.
 */
export class SseEditor {
  readonly #options: SseEditorOptions
  readonly #pairsNames: boolean
  #held: Buffer[] = []
  #heldBytes = 0
  /** A line over the limit is under way: it passes in pieces, or is left out if it is no data line. */
  #longLine: 'none' | 'pass' | 'drop' = 'none'
  /** The blank line behind a line that was left out goes with it, unless something of its frame was kept. */
  #isFrameKept = false
  #isFrameDropped = false
  #hasStrayLines = false
  #hasEnded = false

  constructor(options: SseEditorOptions) {
    this.#options = options
    this.#pairsNames = options.pairsEventLines === true
  }

  push(chunk: Buffer): Buffer[] {
    if (this.#hasEnded) return []
    const output: Buffer[] = []
    let end = chunk.indexOf(LF)
    if (end < 0) return this.#hold(chunk)
    let start = 0
    let at = 0
    if (this.#longLine !== 'none') {
      at = end + 1
      if (this.#longLine === 'drop') start = at
      else this.#endLongLine(chunk, end)
      this.#longLine = 'none'
    }
    while (this.#heldBytes > 0) {
      const outcome = this.#finishHeld(chunk, at, end, output)
      start = outcome === 'keep' ? at : end + 1
      at = end + 1
      if (outcome !== 'wait') break
      end = chunk.indexOf(LF, at)
      if (end < 0) return [...output, ...this.#hold(chunk.subarray(at))]
    }
    /** Where an event line stands that waits for its data; -1 for none. */
    let named = -1
    for (end = newlineFrom(chunk, at); end >= 0; end = newlineFrom(chunk, at)) {
      if (this.#pairsNames && this.#isWaiting(chunk, at, end, named >= 0)) {
        if (named < 0) named = at
        at = end + 1
        continue
      }
      const verdict = this.#judge(chunk, at, end, named < 0 ? PLAIN : NAMED)
      if (verdict !== 'keep') {
        const from = named < 0 ? at : named
        if (from > start) output.push(chunk.subarray(start, from))
        if (verdict !== 'drop') output.push(verdict, chunk.subarray(lineEnd(chunk, at, end), end + 1))
        start = end + 1
      }
      named = -1
      at = end + 1
    }
    if (named >= 0) at = named
    if (at > start) output.push(start === 0 && at === chunk.length ? chunk : chunk.subarray(start, at))
    return at < chunk.length ? [...output, ...this.#hold(chunk.subarray(at))] : output
  }

  /** An event line, or a line behind one, that goes out with the data that is still to come. */
  #isWaiting(bytes: Buffer, start: number, newline: number, isNamed: boolean): boolean {
    if (!this.#pairsNames || this.#hasEnded) return false
    if (!isNamed) return isAt(bytes, start, EVENT_FIELD)
    return !isData(bytes, start, newline) && lineEnd(bytes, start, newline) > start
  }

  /** What is left of a last line without a line break, if it is kept, and the blank line it needs. */
  end(): Buffer[] {
    const line = Buffer.concat(this.#held)
    const output: Buffer[] = []
    if (this.#longLine === 'pass') {
      this.#options.onLongLineEnd?.()
      output.push(NEWLINE)
    } else if (line.length > 0) {
      const from = lastLine(line, line.length)
      const isWaiting = this.#isWaiting(line, from, line.length, from > 0)
      const known = from > 0 ? NAMED_CUT_OFF : CUT_OFF
      const verdict = isWaiting || from === line.length ? 'drop' : this.#judge(line, from, line.length, known)
      if (verdict !== 'drop') output.push(verdict === 'keep' ? line : verdict, NEWLINE)
    }
    this.#forget()
    return [...output, ...this.boundary()]
  }

  /** Whether a line came that belongs to no stream of events. */
  get hasStrayLines(): boolean {
    return this.#hasStrayLines
  }

  /** A line break, when the last line that went out still waits for its blank line. */
  boundary(): Buffer[] {
    if (!this.#isFrameKept) return []
    this.#isFrameKept = false
    return [NEWLINE]
  }

  #hold(piece: Buffer): Buffer[] {
    if (this.#hasEnded) return []
    if (this.#longLine !== 'none') return this.#longLine === 'pass' ? this.#passPiece(piece) : []
    this.#held.push(piece)
    this.#heldBytes += piece.length
    if (this.#heldBytes <= this.#options.bufferedBytesMax) return []
    return this.#passLongLine()
  }

  #passLongLine(): Buffer[] {
    const held = Buffer.concat(this.#held)
    const from = lastLine(held, held.length)
    this.#forget()
    if (!isData(held, from, held.length)) {
      this.#longLine = 'drop'
      this.#isFrameDropped = true
      this.#hasStrayLines = true
      return []
    }
    this.#longLine = 'pass'
    this.#isFrameKept = true
    const before = from > 0 ? [held.subarray(0, from)] : []
    return [...before, ...this.#passPiece(held.subarray(from))]
  }

  #passPiece(piece: Buffer): Buffer[] {
    this.#options.onLongLine?.(piece, 0, piece.length)
    return [piece]
  }

  #endLongLine(chunk: Buffer, end: number): void {
    this.#options.onLongLine?.(chunk, 0, end)
    this.#options.onLongLineEnd?.()
  }

  /**
   * What began in an earlier chunk, and a line of it ends at `end` of this one. `keep`: from `at` on this chunk is part of
   * what is kept; `wait`: its data is still to come, and what there is of it was taken over.
   */
  #finishHeld(chunk: Buffer, at: number, end: number, output: Buffer[]): 'keep' | 'drop' | 'wait' {
    const pieces = this.#held
    const unit = Buffer.concat([...pieces, chunk.subarray(at, end + 1)])
    const newline = unit.length - 1
    const from = lastLine(unit, newline)
    const isNamed = from > 0
    if (this.#isWaiting(unit, from, newline, isNamed)) {
      if (unit.length > NAME_BYTES_MAX) {
        this.#forget()
        return 'drop'
      }
      this.#held = [unit]
      this.#heldBytes = unit.length
      return 'wait'
    }
    this.#forget()
    const verdict = this.#judge(unit, from, newline, isNamed ? NAMED : PLAIN)
    if (verdict === 'keep') for (const piece of pieces) output.push(piece)
    else if (verdict !== 'drop') output.push(verdict, unit.subarray(lineEnd(unit, from, newline)))
    return verdict === 'keep' ? 'keep' : 'drop'
  }

  #forget(): void {
    this.#held = []
    this.#heldBytes = 0
    this.#longLine = 'none'
  }

  #judge(bytes: Buffer, start: number, newline: number, line: DataLine): Edit {
    if (this.#hasEnded) return 'drop'
    const end = lineEnd(bytes, start, newline)
    if (end === start) return this.#judgeBlank(line)
    const isLong = newline - start > this.#options.bufferedBytesMax
    const verdict = isLong ? this.#judgeLong(bytes, start, end) : this.#judgeLine(bytes, start, end, line)
    if (verdict === 'end') return this.#judgeEnd()
    if (verdict === 'drop') this.#isFrameDropped = true
    else this.#isFrameKept = true
    return verdict
  }

  /** An empty line in its place ends the frame that was under way. */
  #judgeEnd(): Edit {
    this.#hasEnded = true
    return this.boundary().length === 0 ? 'drop' : NOTHING
  }

  /** A name without data says nothing. */
  #judgeBlank({ isNamed }: DataLine): Edit {
    const isDropped = (isNamed || this.#isFrameDropped) && !this.#isFrameKept
    this.#isFrameKept = false
    this.#isFrameDropped = false
    return isDropped ? 'drop' : 'keep'
  }

  #dropStray(): LineVerdict {
    this.#hasStrayLines = true
    return 'drop'
  }

  #judgeLong(bytes: Buffer, start: number, end: number): LineVerdict {
    if (!isData(bytes, start, end)) return this.#dropStray()
    this.#options.onLongLine?.(bytes, start, end)
    this.#options.onLongLineEnd?.()
    return 'keep'
  }

  #judgeLine(bytes: Buffer, start: number, end: number, line: DataLine): LineVerdict {
    if (bytes[start] === COLON) return 'keep'
    if (!isData(bytes, start, end)) return this.#judgeOther(bytes, start, end)
    const payload = start + DATA.length
    return this.#options.onData(bytes, bytes[payload] === SPACE ? payload + 1 : payload, end, line)
  }

  #judgeOther(bytes: Buffer, start: number, end: number): LineVerdict {
    return isOtherField(bytes, start, end) ? 'keep' : this.#dropStray()
  }
}

const FIELDS = ['event:', 'id:', 'retry:'] as const
const EVENT_FIELD = Buffer.from('event:')

/** Every second line is blank, and needs no search. */
function newlineFrom(bytes: Buffer, at: number): number {
  return bytes[at] === LF ? at : bytes.indexOf(LF, at)
}

/** Where the last line begins that ends at `newline`. */
function lastLine(bytes: Buffer, newline: number): number {
  return newline === 0 ? 0 : bytes.lastIndexOf(LF, newline - 1) + 1
}

function lineEnd(bytes: Buffer, start: number, newline: number): number {
  return newline > start && bytes[newline - 1] === CR ? newline - 1 : newline
}

function isData(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < DATA.length) return false
  for (let at = 0; at < DATA.length; at++) if (bytes[start + at] !== DATA[at]) return false
  return true
}

function isOtherField(bytes: Buffer, start: number, end: number): boolean {
  const head = bytes.toString('latin1', start, Math.min(end, start + 6))
  return FIELDS.some((field) => head.startsWith(field))
}
