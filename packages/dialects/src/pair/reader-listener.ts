import type { ReplyReader } from '../canonical/codec.ts'
import type { ReplyEvent } from '../canonical/event.ts'
import { finishOf, OutputCount } from '../canonical/reading.ts'
import { conversations, type ConversationOperation } from '../conversations.ts'
import type { Finish, Reading, UpstreamError } from '../dialect.ts'
import { parseObject, textAt } from '../json.ts'
import { DeltaScan } from '../openai/delta-scan.ts'
import { badBody } from '../openai/upstream-error.ts'
import type { LineVerdict } from '../sse.ts'
import type { Usage } from '../usage.ts'
import { closingEvents, OpenParts } from './open-parts.ts'
import type { PairRules } from './pair.ts'
import type { Listener } from './passing-tap.ts'
import { usageSoFar } from './usage-so-far.ts'

/** A drawn answer comes as one line of some megabytes. */
const BUFFERED_BYTES_MAX = 32 * 1024 * 1024

/** The frames of a dialect that are nearly all of a stream, and need no parse once it is under way. */
export interface FastPath {
  readonly hasNames: boolean
  /** Counts what the frame between `start` and `end` brings. `false`: it says more, and must be read. */
  fastPath(bytes: Buffer, start: number, end: number, scan: DeltaScan): boolean
  /** Frames that are passed by tell usage too: the frame without all else. Heard of the last of them alone. */
  readonly usageOf?: (payload: string) => string | undefined
}

/** Listens with the reader that conversions use; where that is not needed, what passes is counted and no more. */
export class ReaderListener implements Listener {
  readonly bufferedBytesMax = BUFFERED_BYTES_MAX
  readonly hasNames: boolean
  readonly #rules: PairRules
  readonly #fastPath: FastPath
  readonly #reader: ReplyReader
  readonly #scan = new DeltaScan()
  readonly #count = new OutputCount()
  readonly #open = new OpenParts()
  /** Only while one answer is under way can frames be passed by: what begins and what ends is always read. */
  #isUnderWay = false
  /** The last frame that was passed by and may tell usage, where it stands. */
  #passed: Buffer | undefined
  #passedStart = 0
  #passedEnd = 0
  #start: ReplyEvent | undefined
  #usage: Usage | undefined
  #finish: Finish | undefined
  #error: UpstreamError | undefined
  isDone = false
  frames = 0

  constructor(rules: PairRules, endpoint: ConversationOperation, fastPath: FastPath) {
    this.#rules = rules
    this.#fastPath = fastPath
    this.hasNames = fastPath.hasNames
    this.#reader = conversations[endpoint].upstream.openReader(rules.readUsage)
  }

  get reading(): Reading {
    return {
      usage: this.#usage ?? this.#reader.usageSoFar,
      finish: this.#finish,
      outputTokensCounted: Math.max(this.#scan.outputTokens, this.#count.tokens),
      hasOutput: this.#scan.hasOutput || this.#count.hasOutput,
      isComplete: this.isDone,
      error: this.#error,
    }
  }

  hear(bytes: Buffer, start: number, end: number, isNamed: boolean): LineVerdict {
    if (this.isDone) return 'drop'
    const isSkimmed = this.#fastPath.fastPath(bytes, start, end, this.#scan)
    if (!isSkimmed || !this.#isUnderWay) return this.#read(bytes.subarray(start, end), isNamed)
    this.frames++
    if (this.#fastPath.usageOf !== undefined) this.#passBy(bytes, start, end)
    return isNamed || !this.hasNames ? 'keep' : namedFrame(bytes.subarray(start, end))
  }

  hearLongLine(): void {
    this.#scan.noteData()
  }

  end(hasStrayLines: boolean): void {
    this.#hearUsage()
    for (const event of this.#reader.end()) this.#note(event)
    this.#usage ??= this.#reader.usageSoFar
    if (this.#error === undefined && this.frames === 0) {
      this.#error = badBody(hasStrayLines ? 'bad_response_body' : 'empty_response')
    }
  }

  cut(): readonly Buffer[] {
    this.#hearUsage()
    this.#usage ??= this.#reader.usageSoFar
    const { caller, context } = this.#rules
    const writer = caller.openWriter(context)
    if (this.#start !== undefined) writer.push(this.#start)
    const counted = { input: context.inputTokensCounted, output: this.reading.outputTokensCounted }
    writer.push({ type: 'usage', usage: usageSoFar(this.#usage, counted) })
    const closing = closingEvents(this.#open, { reason: 'length', raw: 'length' })
    const told = closing.filter((event) => event.type !== 'part-end')
    return told.flatMap((event) => [...writer.push(event)])
  }

  #read(payload: Buffer, isNamed: boolean): LineVerdict {
    this.#hearUsage()
    const data = payload.toString()
    for (const event of this.#reader.push({ event: undefined, data })) this.#note(event)
    this.#isUnderWay =
      this.#open.open.length > 0 && this.#finish === undefined && (this.#rules.choices ?? 1) === 1
    if (this.#error !== undefined) return 'end'
    this.frames++
    return isNamed || !this.hasNames ? 'keep' : namedFrame(payload)
  }

  #passBy(bytes: Buffer, start: number, end: number): void {
    this.#passed = bytes
    this.#passedStart = start
    this.#passedEnd = end
  }

  /** What the frames that were passed by told of usage, which the frames behind them need not repeat. */
  #hearUsage(): void {
    const payload = this.#passed?.toString('utf8', this.#passedStart, this.#passedEnd)
    this.#passed = undefined
    const data = payload === undefined ? undefined : this.#fastPath.usageOf?.(payload)
    if (data !== undefined) this.#reader.push({ event: undefined, data })
  }

  #note(event: ReplyEvent): void {
    this.#count.push(event)
    this.#open.push(event)
    if (event.type === 'reply-start') this.#start = event
    else if (event.type === 'usage') this.#usage = event.usage
    else if (event.type === 'choice-end') this.#finish ??= finishOf(event.end)
    else if (event.type === 'error') this.#error = event.error
    else if (event.type === 'reply-end') this.isDone = true
  }
}

/** With the name that an upstream forgot. */
function namedFrame(payload: Buffer): LineVerdict {
  const type = typeOf(payload.toString())
  return type === undefined ? 'keep' : Buffer.concat([Buffer.from(`event: ${type}\ndata: `), payload])
}

const TYPE = /^\{\s*"type"\s*:\s*"([a-z_.]+)"/

/** Dialects with named events say the name in the data too, nearly always first. */
function typeOf(data: string): string | undefined {
  return (
    TYPE.exec(data)?.[1] ?? (data.includes('"type"') ? textAt(parseObject(data) ?? {}, 'type') : undefined)
  )
}
