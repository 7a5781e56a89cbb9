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

/** A drawn answer comes as one line of some megabytes. */
const BUFFERED_BYTES_MAX = 32 * 1024 * 1024

/** The frames of a dialect that are nearly all of a stream, and need no parse once it is under way. */
export interface Skim {
  readonly hasNames: boolean
  /** Counts what the frame between `start` and `end` brings. `false`: it says more, and must be read. */
  skim(bytes: Buffer, start: number, end: number, scan: DeltaScan): boolean
}

/** Listens with the reader that conversions use; where that is not needed, what passes is counted and no more. */
export class ReaderListener implements Listener {
  readonly bufferedBytesMax = BUFFERED_BYTES_MAX
  readonly hasNames: boolean
  readonly #rules: PairRules
  readonly #skim: Skim
  readonly #reader: ReplyReader
  readonly #scan = new DeltaScan()
  readonly #count = new OutputCount()
  readonly #open = new OpenParts()
  /** Only while one answer is under way can frames be passed by: what begins and what ends is always read. */
  #isUnderWay = false
  #start: ReplyEvent | undefined
  #usage: Usage | undefined
  #finish: Finish | undefined
  #error: UpstreamError | undefined
  isDone = false
  frames = 0

  constructor(rules: PairRules, spoken: ConversationOperation, skim: Skim) {
    this.#rules = rules
    this.#skim = skim
    this.hasNames = skim.hasNames
    this.#reader = conversations[spoken].upstream.openReader(rules.readUsage)
  }

  get reading(): Reading {
    return {
      usage: this.#usage,
      finish: this.#finish,
      outputTokensCounted: Math.max(this.#scan.outputTokens, this.#count.tokens),
      hasOutput: this.#scan.hasOutput || this.#count.hasOutput,
      isComplete: this.isDone,
      error: this.#error,
    }
  }

  hear(bytes: Buffer, start: number, end: number, isNamed: boolean): LineVerdict {
    if (this.isDone) return 'drop'
    const isSkimmed = this.#skim.skim(bytes, start, end, this.#scan)
    if (!isSkimmed || !this.#isUnderWay) return this.#read(bytes.subarray(start, end), isNamed)
    this.frames++
    return isNamed || !this.hasNames ? 'keep' : namedFrame(bytes.subarray(start, end))
  }

  hearLongLine(): void {
    this.#scan.noteData()
  }

  end(hasStrayLines: boolean): void {
    for (const event of this.#reader.end()) this.#note(event)
    if (this.#error === undefined && this.frames === 0) {
      this.#error = badBody(hasStrayLines ? 'bad_response_body' : 'empty_response')
    }
  }

  cut(): readonly Buffer[] {
    const writer = this.#rules.caller.openWriter(this.#rules.context)
    if (this.#start !== undefined) writer.push(this.#start)
    const closing = closingEvents(this.#open, { reason: 'length', raw: 'length' })
    const told = closing.filter((event) => event.type !== 'part-end')
    return told.flatMap((event) => [...writer.push(event)])
  }

  #read(payload: Buffer, isNamed: boolean): LineVerdict {
    const data = payload.toString()
    for (const event of this.#reader.push({ event: undefined, data })) this.#note(event)
    this.#isUnderWay =
      this.#open.open.length > 0 && this.#finish === undefined && (this.#rules.choices ?? 1) === 1
    if (this.#error !== undefined) return 'end'
    this.frames++
    return isNamed || !this.hasNames ? 'keep' : namedFrame(payload)
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
