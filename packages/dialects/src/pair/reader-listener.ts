import type { ReplyReader } from '../canonical/codec.ts'
import type { ReplyEvent } from '../canonical/event.ts'
import { finishOf, OutputCount } from '../canonical/reading.ts'
import { usagePaths, withoutVendorCost } from '../cost/vendor-cost.ts'
import { conversations, type ConversationOperation } from '../conversations.ts'
import type { Finish, Reading, UpstreamError } from '../dialect.ts'
import { parseObject, textAt } from '../json.ts'
import { DeltaScan } from '../stream/delta-scan.ts'
import type { ErrorRequest } from '../errors/render-error.ts'
import { badBody } from '../errors/upstream-error.ts'
import type { LineVerdict } from '../stream/line-verdict.ts'
import type { Usage } from '../usage.ts'
import { closingEvents, OpenParts } from './open-parts.ts'
import type { PairRules } from './pair.ts'
import type { Listener } from './passing-stream.ts'
import { reportEventSeal } from './report-seals.ts'
import { usageWithCounts } from './usage-so-far.ts'

const OPEN_BRACE = 0x7b
/** A generated image comes as a single line of several megabytes. */
const BUFFERED_BYTES_MAX = 32 * 1024 * 1024

/**
 * Fast path of a dialect: recognises the delta frames that make up most of a stream and need no parsing once
 * a reply has begun.
 */
export interface FastPath {
  readonly hasNames: boolean
  /**
   * Whether a caller receives nothing but lines `data: {…}`: Google's clients for Python and Go fail on
   * comments and other fields.
   */
  readonly sendsDataOnly?: boolean
  /**
   * Counts the content of the frame between `start` and `end`. Returns `false` if the frame contains more and
   * must be parsed.
   */
  fastPath(bytes: Buffer, start: number, end: number, scan: DeltaScan): boolean
  /**
   * For dialects whose skipped frames contain usage: returns the frame reduced to its usage. It is only
   * called for the last skipped frame.
   */
  readonly usageOf?: (payload: string) => string | undefined
  /** For dialects whose events are numbered: returns the number of a frame. */
  readonly numberOf?: (payload: string) => number | undefined
}

/**
 * Reads a passing stream with the reader used for conversions, except for frames that the fast path can
 * merely count.
 */
export class ReaderListener implements Listener {
  readonly bufferedBytesMax = BUFFERED_BYTES_MAX
  readonly hasNames: boolean
  readonly sendsDataOnly: boolean
  readonly #rules: PairRules
  readonly #fastPath: FastPath
  readonly #reader: ReplyReader
  readonly #scan = new DeltaScan()
  readonly #count = new OutputCount()
  readonly #open = new OpenParts()
  /**
   * Frames may be skipped only while a single reply is in progress: its beginning and its end are always
   * parsed.
   */
  #isUnderWay = false
  /** Buffer and position of the last skipped frame, which may contain usage. */
  #passed: Buffer | undefined
  #passedStart = 0
  #passedEnd = 0
  /** Number of the last parsed frame, where frames are numbered. */
  #number: number | undefined
  #start: ReplyEvent | undefined
  #replyId: string | undefined
  #model: string | undefined
  #usage: Usage | undefined
  #finish: Finish | undefined
  #error: UpstreamError | undefined
  isDone = false
  frames = 0

  constructor(rules: PairRules, endpoint: ConversationOperation, fastPath: FastPath) {
    this.#rules = rules
    this.#fastPath = fastPath
    this.hasNames = fastPath.hasNames
    this.sendsDataOnly = fastPath.sendsDataOnly === true
    this.#reader = conversations[endpoint].upstream.openReader(rules.readUsage)
  }

  get isClosing(): boolean {
    if (this.isDone) return true
    const ended = this.#reader.choicesFinished ?? this.#open.ended
    return ended >= (this.#rules.choices ?? 1)
  }

  get reading(): Reading {
    return {
      usage: this.#usage ?? this.#reader.usageWithCounts,
      finish: this.#finish,
      outputTokensCounted: Math.max(this.#scan.outputTokens, this.#count.tokens),
      hasOutput: this.#scan.hasOutput || this.#count.hasOutput,
      isComplete: this.isDone,
      replyId: this.#replyId,
      model: this.#model,
      error: this.#error,
    }
  }

  hear(bytes: Buffer, start: number, end: number, isNamed: boolean): LineVerdict {
    if (this.isDone || (this.sendsDataOnly && bytes[start] !== OPEN_BRACE)) return 'drop'
    const isSkimmed = this.#fastPath.fastPath(bytes, start, end, this.#scan)
    if (!isSkimmed || !this.#isUnderWay) return this.#read(bytes.subarray(start, end), isNamed)
    this.frames++
    this.#passBy(bytes, start, end)
    return isNamed || !this.hasNames ? 'keep' : namedFrame(bytes.subarray(start, end))
  }

  hearLongLine(): void {
    this.#scan.noteData()
  }

  end(hasStrayLines: boolean): void {
    this.#hearUsage()
    for (const event of this.#reader.end()) this.#note(event)
    this.#usage ??= this.#reader.usageWithCounts
    if (this.#error === undefined && this.frames === 0) {
      this.#error = badBody(hasStrayLines ? 'bad_response_body' : 'empty_response')
    }
  }

  cut(): readonly Buffer[] {
    this.#hearUsage()
    this.#usage ??= this.#reader.usageWithCounts
    const { caller, context } = this.#rules
    const writer = caller.openWriter(context)
    if (this.#start !== undefined) writer.push(this.#start)
    const counted = { input: context.inputTokensCounted, output: this.reading.outputTokensCounted }
    writer.push({ type: 'usage', usage: usageWithCounts(this.#usage, counted) })
    const closing = closingEvents(this.#open, { reason: 'length', raw: 'length' })
    const reported = closing.filter((event) => event.type !== 'part-end')
    return reported.flatMap((event) => [...writer.push(event)])
  }

  /** The frame goes on with the numbers of those that passed; a stream that told nothing has no `response`. */
  fail(request: ErrorRequest): readonly Buffer[] {
    const { caller, context } = this.#rules
    const writer = caller.openWriter(context)
    if (this.#start !== undefined && this.frames > 0) writer.push(this.#start)
    this.#hearUsage()
    return writer.fail(request, this.#number === undefined ? this.frames : this.#number + 1)
  }

  #read(payload: Buffer, isNamed: boolean): LineVerdict {
    this.#hearUsage()
    const data = payload.toString()
    for (const event of this.#reader.push({ event: undefined, data })) this.#note(event)
    this.#isUnderWay =
      this.#open.open.length > 0 && this.#finish === undefined && (this.#rules.choices ?? 1) === 1
    if (this.#error !== undefined) return 'end'
    this.#number = this.#fastPath.numberOf?.(data) ?? this.#number
    this.frames++
    if (!this.hasNames) return 'keep'
    const own = withoutVendorCost(payload, usagePaths.response)
    return isNamed && own === payload ? 'keep' : namedFrame(own)
  }

  #passBy(bytes: Buffer, start: number, end: number): void {
    this.#passed = bytes
    this.#passedStart = start
    this.#passedEnd = end
  }

  /** Reads the usage and the number of the last skipped frame, because later frames need not repeat them. */
  #hearUsage(): void {
    const { usageOf, numberOf } = this.#fastPath
    const payload = this.#passed?.toString('utf8', this.#passedStart, this.#passedEnd)
    this.#passed = undefined
    if (payload === undefined) return
    this.#number = numberOf?.(payload) ?? this.#number
    const data = usageOf?.(payload)
    if (data !== undefined) this.#reader.push({ event: undefined, data })
  }

  #note(event: ReplyEvent): void {
    this.#count.push(event)
    this.#open.push(event)
    reportEventSeal(event, this.#rules)
    if (event.type === 'reply-start') {
      this.#start = event
      this.#replyId = event.id
      this.#model = event.model
    } else if (event.type === 'usage') this.#usage = event.usage
    else if (event.type === 'choice-end') this.#finish ??= finishOf(event.end)
    else if (event.type === 'error') this.#error = event.error
    else if (event.type === 'reply-end') this.isDone = true
  }
}

/** Adds the `event:` line, which an upstream omitted, or which was dropped with the data that it sent. */
function namedFrame(payload: Buffer): LineVerdict {
  const type = typeOf(payload.toString())
  return type === undefined
    ? Buffer.concat([DATA, payload])
    : Buffer.concat([Buffer.from(`event: ${type}\ndata: `), payload])
}

const DATA = Buffer.from('data: ')
const TYPE = /^\{\s*"type"\s*:\s*"([a-z_.]+)"/

/** In dialects with event names the data contains the name too, nearly always as the first member. */
function typeOf(data: string): string | undefined {
  return (
    TYPE.exec(data)?.[1] ?? (data.includes('"type"') ? textAt(parseObject(data) ?? {}, 'type') : undefined)
  )
}
