import { isAt } from '../bytes-at.ts'
import { OpenEvent } from './open-event.ts'
import { dataLines, type DataLine, type LineVerdict, type SseEditorOptions } from './line-verdict.ts'
import {
  type NormalizerOptions,
  LineNormalizer,
  hasMarkAtStart,
  hasBareReturn,
  hasOddIndent,
  hasOpenJson,
} from './normalize-lines.ts'
import {
  CR,
  DATA,
  EVENT_FIELD,
  LF,
  isData,
  isOtherField,
  isUsual,
  lastLine,
  lineEnd,
  newlineFrom,
} from './sse-line.ts'

const COLON = 0x3a
const SPACE = 0x20
/** Longest `event:` line that waits for its data; real event names are short. */
const NAME_BYTES_MAX = 4096
const NOTHING = Buffer.alloc(0)
const NEWLINE = Buffer.from('\n')

type LineEdit = Exclude<LineVerdict, 'end'>

/**
 * The only parser of server-sent events. It edits a stream line by line: its output consists of the same
 * buffers that came in, or of subarrays of them; only a line that spans two chunks is copied. Only whole
 * lines are sent.
 *
 * Nearly all vendors put one event into one data line, and some omit the blank line after it. Therefore the
 * verdict is per data line and not per frame. Lines end with LF or CR LF. From the first line in another form
 * of the standard on, the stream is rewritten in this form (`LineNormalizer`). Comments, `event:`, `id:` and
 * `retry:` lines are kept; lines with no meaning in an event stream are dropped.
 */
export class SseEditor {
  readonly #options: SseEditorOptions
  readonly #pairsNames: boolean
  #held: Buffer[] = []
  #heldBytes = 0
  /** State of a line over the limit: it passes in pieces, or is dropped if it is not a data line. */
  #longLine: 'none' | 'pass' | 'drop' = 'none'
  readonly #event = new OpenEvent()
  #hasStrayLines = false
  #hasEnded = false
  #hasBegun = false
  #endsWithReturn = false
  #normalizer: LineNormalizer | undefined

  constructor(options: SseEditorOptions) {
    this.#options = options
    this.#pairsNames = options.pairsEventLines === true
  }

  push(chunk: Buffer): Buffer[] {
    if (this.#hasEnded || chunk.length === 0) return []
    if (this.#normalizer !== undefined) return this.#edit(this.#normalizer.push(chunk))
    const isPlain =
      (this.#hasBegun || !hasMarkAtStart(chunk)) &&
      !hasBareReturn(chunk) &&
      !(this.#endsWithReturn && chunk[0] !== LF)
    this.#hasBegun = true
    this.#endsWithReturn = chunk[chunk.length - 1] === CR
    return isPlain ? this.#edit(chunk) : this.#normalizeFrom(chunk)
  }

  /** Reads this chunk and all later ones through the normalizer, beginning with the line that is held. */
  #normalizeFrom(chunk: Buffer, options: NormalizerOptions = {}): Buffer[] {
    this.#normalizer = new LineNormalizer({ ...options, isInsideLine: this.#longLine !== 'none' })
    const bytes = this.#heldBytes === 0 ? chunk : Buffer.concat([...this.#held, chunk])
    if (this.#longLine === 'none') this.#forget()
    return this.#edit(this.#normalizer.push(bytes))
  }

  #edit(chunk: Buffer): Buffer[] {
    if (chunk.length === 0) return []
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
      const usesCrLf = (end === 0 ? this.#held.at(-1)?.at(-1) : chunk[end - 1]) === CR
      if (outcome === 'odd') return [...output, ...this.#normalizeFrom(chunk.subarray(at), { usesCrLf })]
      start = outcome === 'keep' ? at : end + 1
      at = end + 1
      if (outcome !== 'wait') break
      end = chunk.indexOf(LF, at)
      if (end < 0) return [...output, ...this.#hold(chunk.subarray(at))]
    }
    let named = -1
    for (end = newlineFrom(chunk, at); end >= 0; end = newlineFrom(chunk, at)) {
      if (this.#pairsNames && this.#isWaiting(chunk, at, end, named >= 0)) {
        if (named < 0) named = at
        at = end + 1
        continue
      }
      if (!isUsual(chunk, at, end) && this.#isOdd(chunk, at, end, chunk[end + 1])) {
        const from = named < 0 ? at : named
        if (from > start) output.push(chunk.subarray(start, from))
        const usesCrLf = lineEnd(chunk, at, end) < end
        return [...output, ...this.#normalizeFrom(chunk.subarray(from), { usesCrLf })]
      }
      const verdict = this.#judge(chunk, at, end, named < 0 ? dataLines.plain : dataLines.named)
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

  /**
   * Whether the payload of a data line begins with more than one space, or goes on in the next line. `next` is
   * the byte after the line; a blank line shows at once that the event is whole.
   */
  #isOdd(bytes: Buffer, start: number, newline: number, next: number | undefined): boolean {
    if (this.#normalizer !== undefined || this.#hasEnded || newline === start) return false
    const isIndented = hasOddIndent(bytes, start + DATA.length, this.#options.sendsDataOnly === true)
    if (!isIndented && (next === LF || next === CR)) return false
    if (!isData(bytes, start, newline)) return false
    return isIndented || hasOpenJson(bytes, start + DATA.length, newline)
  }

  /**
   * Whether this is an event line, or a line after one, that must be sent together with data that has not
   * arrived yet.
   */
  #isWaiting(bytes: Buffer, start: number, newline: number, isNamed: boolean): boolean {
    if (!this.#pairsNames || this.#hasEnded) return false
    if (!isNamed) return isAt(bytes, start, EVENT_FIELD)
    return !isData(bytes, start, newline) && lineEnd(bytes, start, newline) > start
  }

  /** Returns the rest of a last line without a line break, if it is kept, and the blank line after it. */
  end(): Buffer[] {
    const line = Buffer.concat(this.#held)
    const output: Buffer[] = []
    if (this.#longLine === 'pass') {
      this.#options.onLongLineEnd?.()
      output.push(NEWLINE)
    } else if (line.length > 0) {
      const from = lastLine(line, line.length)
      const isWaiting = this.#isWaiting(line, from, line.length, from > 0)
      const dataLine = from > 0 ? dataLines.namedAndCutOff : dataLines.cutOff
      const verdict =
        isWaiting || from === line.length ? 'drop' : this.#judge(line, from, line.length, dataLine)
      if (verdict !== 'drop') output.push(verdict === 'keep' ? line : verdict, NEWLINE)
    }
    this.#forget()
    return [...output, ...this.boundary()]
  }

  /** Whether a line came that is not part of an event stream. */
  get hasStrayLines(): boolean {
    return this.#hasStrayLines
  }

  /** `undefined` while a line passes in pieces, because nothing may stand inside it. */
  endEvent(): Buffer[] | undefined {
    return this.#longLine === 'pass' ? undefined : this.boundary()
  }

  /** Returns a line break if the last line that was sent still needs its blank line. */
  boundary(): Buffer[] {
    return this.#event.boundary()
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
      this.#event.dropLine()
      this.#hasStrayLines = true
      return []
    }
    this.#longLine = 'pass'
    this.#event.keepLine()
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
   * Handles a line that began in an earlier chunk and ends at `end` of this one. `keep`: from `at` on this
   * chunk is part of the output. `wait`: the line's data is still missing, and the line was buffered. `odd`:
   * the line is still held and has to be normalized.
   */
  #finishHeld(chunk: Buffer, at: number, end: number, output: Buffer[]): 'keep' | 'drop' | 'wait' | 'odd' {
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
    if (this.#isOdd(unit, from, newline, chunk[end + 1])) return 'odd'
    this.#forget()
    const verdict = this.#judge(unit, from, newline, isNamed ? dataLines.named : dataLines.plain)
    if (verdict === 'keep') for (const piece of pieces) output.push(piece)
    else if (verdict !== 'drop') output.push(verdict, unit.subarray(lineEnd(unit, from, newline)))
    return verdict === 'keep' ? 'keep' : 'drop'
  }

  #forget(): void {
    this.#held = []
    this.#heldBytes = 0
    this.#longLine = 'none'
  }

  #judge(bytes: Buffer, start: number, newline: number, line: DataLine): LineEdit {
    if (this.#hasEnded) return 'drop'
    const end = lineEnd(bytes, start, newline)
    if (end === start) return this.#event.endWithBlank(line.isNamed) ? 'keep' : 'drop'
    const isLong = newline - start > this.#options.bufferedBytesMax
    const verdict = isLong ? this.#judgeLong(bytes, start, end) : this.#judgeLine(bytes, start, end, line)
    if (verdict === 'end') return this.#judgeEnd()
    if (verdict === 'drop') this.#event.dropLine()
    else this.#event.keepLine()
    return verdict
  }

  /** Treats the end like an empty line, which ends the open frame. */
  #judgeEnd(): LineEdit {
    this.#hasEnded = true
    return this.boundary().length === 0 ? 'drop' : NOTHING
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
    if (bytes[start] === COLON) return this.#options.sendsDataOnly === true ? 'drop' : 'keep'
    if (!isData(bytes, start, end)) return this.#judgeOther(bytes, start, end)
    const payload = start + DATA.length
    return this.#options.onData(bytes, bytes[payload] === SPACE ? payload + 1 : payload, end, line)
  }

  #judgeOther(bytes: Buffer, start: number, end: number): LineVerdict {
    if (!isOtherField(bytes, start, end)) return this.#dropStray()
    return this.#options.sendsDataOnly === true ? 'drop' : 'keep'
  }
}
