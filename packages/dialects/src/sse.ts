const LF = 0x0a
const CR = 0x0d
const COLON = 0x3a
const SPACE = 0x20
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
  /** The payload of one data line, without its line break. `isCutOff`: the stream ended before the line break. */
  readonly onData: (bytes: Buffer, start: number, end: number, isCutOff: boolean) => LineVerdict
  /** A data line too long to be kept back passes in pieces; told of each, from the field's name on. */
  readonly onLongLine?: (bytes: Buffer, start: number, end: number) => void
  /** The line is through, or the stream ended in it. */
  readonly onLongLineEnd?: () => void
  /** Bytes of an unfinished line kept back. */
  readonly bufferedBytesMax: number
  /** For who writes the `event:` lines anew, so that none goes out before its data. Default false. */
  readonly dropsEventLines?: boolean
}

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
    } else if (this.#heldBytes > 0) {
      if (!this.#finishHeld(chunk, end, output)) start = end + 1
      at = end + 1
    }
    for (end = chunk.indexOf(LF, at); end >= 0; end = chunk.indexOf(LF, at)) {
      const verdict = this.#judge(chunk, at, end)
      if (verdict !== 'keep') {
        if (at > start) output.push(chunk.subarray(start, at))
        if (verdict !== 'drop') output.push(verdict, chunk.subarray(lineEnd(chunk, at, end), end + 1))
        start = end + 1
      }
      at = end + 1
    }
    if (at > start) output.push(start === 0 && at === chunk.length ? chunk : chunk.subarray(start, at))
    return at < chunk.length ? [...output, ...this.#hold(chunk.subarray(at))] : output
  }

  /** What is left of a last line without a line break, if it is kept, and the blank line it needs. */
  end(): Buffer[] {
    const line = Buffer.concat(this.#held)
    const output: Buffer[] = []
    if (this.#longLine === 'pass') {
      this.#options.onLongLineEnd?.()
      output.push(NEWLINE)
    } else if (line.length > 0) {
      const verdict = this.#judge(line, 0, line.length, true)
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
    const pieces = this.#held
    this.#forget()
    if (!isData(Buffer.concat(pieces.slice(0, DATA.length)), 0, DATA.length)) {
      this.#longLine = 'drop'
      this.#isFrameDropped = true
      this.#hasStrayLines = true
      return []
    }
    this.#longLine = 'pass'
    this.#isFrameKept = true
    return pieces.flatMap((piece) => this.#passPiece(piece))
  }

  #passPiece(piece: Buffer): Buffer[] {
    this.#options.onLongLine?.(piece, 0, piece.length)
    return [piece]
  }

  #endLongLine(chunk: Buffer, end: number): void {
    this.#options.onLongLine?.(chunk, 0, end)
    this.#options.onLongLineEnd?.()
  }

  /** The line that began in an earlier chunk and ends at `end` of this one; true when its end is part of what is kept. */
  #finishHeld(chunk: Buffer, end: number, output: Buffer[]): boolean {
    const pieces = this.#held
    const line = Buffer.concat([...pieces, chunk.subarray(0, end + 1)])
    this.#forget()
    const verdict = this.#judge(line, 0, line.length - 1)
    if (verdict === 'keep') output.push(...pieces)
    else if (verdict !== 'drop') output.push(verdict, line.subarray(lineEnd(line, 0, line.length - 1)))
    return verdict === 'keep'
  }

  #forget(): void {
    this.#held = []
    this.#heldBytes = 0
    this.#longLine = 'none'
  }

  #judge(bytes: Buffer, start: number, newline: number, isCutOff = false): Edit {
    if (this.#hasEnded) return 'drop'
    const end = lineEnd(bytes, start, newline)
    if (end === start) return this.#judgeBlank()
    const isLong = newline - start > this.#options.bufferedBytesMax
    const verdict = isLong ? this.#judgeLong(bytes, start, end) : this.#judgeLine(bytes, start, end, isCutOff)
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

  #judgeBlank(): Edit {
    const isDropped = this.#isFrameDropped && !this.#isFrameKept
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

  #judgeLine(bytes: Buffer, start: number, end: number, isCutOff: boolean): LineVerdict {
    if (bytes[start] === COLON) return 'keep'
    if (!isData(bytes, start, end)) return this.#judgeOther(bytes, start, end)
    const payload = start + DATA.length
    return this.#options.onData(bytes, bytes[payload] === SPACE ? payload + 1 : payload, end, isCutOff)
  }

  #judgeOther(bytes: Buffer, start: number, end: number): LineVerdict {
    if (!isOtherField(bytes, start, end)) return this.#dropStray()
    const isEvent = bytes.toString('latin1', start, start + EVENT.length) === EVENT
    return isEvent && this.#options.dropsEventLines === true ? 'drop' : 'keep'
  }
}

const EVENT = 'event:'
const FIELDS = [EVENT, 'id:', 'retry:'] as const

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
