import type { Frame, ReplyReader, ReplyWriter, UpstreamCodec } from '../canonical/codec.ts'
import type { ReplyEvent } from '../canonical/event.ts'
import { FrameReader, type Frames } from '../canonical/frames.ts'
import { finishOf, OutputCount } from '../canonical/reading.ts'
import type { Finish, Reading, UpstreamError } from '../dialect.ts'
import type { TappedStream, WholeBody } from '../stream/body-or-stream.ts'
import { parseObject } from '../json.ts'
import type { ErrorRequest } from '../errors/render-error.ts'
import { badBody, insideError } from '../errors/upstream-error.ts'
import type { Usage } from '../usage.ts'
import { closingEvents, OpenParts } from './open-parts.ts'
import type { PairRules } from './pair.ts'
import { reportEventSeal } from './report-seals.ts'
import { reportSignedCall } from './signed-call.ts'
import { RestoredCalls } from './restored-calls.ts'
import { readWholeAsStream } from './read-whole.ts'
import { ThinkingToText } from './thinking-to-text.ts'
import { usageWithCounts } from './usage-so-far.ts'

export interface ConvertedPair extends PairRules {
  readonly codec: UpstreamCodec
}

/**
 * Converts a stream from one dialect to another: frames to events to frames. It keeps only what belongs to
 * open parts.
 */
export class ConvertedStream implements TappedStream {
  readonly #rules: ConvertedPair
  readonly #framing: Frames
  readonly #reader: ReplyReader
  readonly #writer: ReplyWriter
  readonly #count = new OutputCount()
  readonly #open = new OpenParts()
  readonly #thinking: ThinkingToText | undefined
  readonly #calls: RestoredCalls | undefined
  readonly body: WholeBody | undefined
  #start: ReplyEvent | undefined
  #replyId: string | undefined
  #model: string | undefined
  #usage: Usage | undefined
  #hasToldUsage = false
  #finish: Finish | undefined
  #error: UpstreamError | undefined
  #isComplete = false
  frames = 0

  constructor(rules: ConvertedPair) {
    this.#rules = rules
    if (rules.openFrames === undefined) this.body = { read: (bytes) => readWholeAsStream(bytes, rules) }
    this.#framing = rules.openFrames?.() ?? new FrameReader()
    this.#reader = rules.codec.openReader(rules.readUsage, rules.context.fallbackId)
    this.#writer = rules.caller.openWriter(rules.context)
    this.#calls = rules.originalTools && new RestoredCalls(rules.originalTools)
    this.#thinking = rules.thinkingToContent === true ? new ThinkingToText() : undefined
  }

  get reading(): Reading {
    return {
      usage: this.#usage ?? this.#reader.usageWithCounts,
      finish: this.#finish,
      outputTokensCounted: this.#count.tokens,
      hasOutput: this.#count.hasOutput,
      isComplete: this.#isComplete,
      replyId: this.#replyId,
      model: this.#model,
      error: this.#error,
    }
  }

  /** Usage events come only with the end of the reply. */
  get isClosing(): boolean {
    return this.#isComplete || this.#open.ended >= (this.#rules.choices ?? 1)
  }

  get hasEnded(): boolean {
    return this.#isComplete
  }

  push(chunk: Buffer): readonly Buffer[] {
    return this.#take(this.#framing.push(chunk))
  }

  end(): readonly Buffer[] {
    const output = [...this.#take(this.#framing.end()), ...this.#tell(this.#reader.end())]
    this.#hearUsage()
    if (this.#error === undefined && this.frames === 0) {
      this.#error = badBody(this.#framing.hasGarbage === true ? 'bad_response_body' : 'empty_response')
    }
    return output
  }

  cut(): readonly Buffer[] {
    this.#hearUsage()
    const output = this.#tell(closingEvents(this.#open, { reason: 'length', raw: 'length' }))
    this.#isComplete = false
    return output
  }

  fail(request: ErrorRequest): readonly Buffer[] {
    return this.#writer.fail(request)
  }

  flush(): readonly Buffer[] {
    const output = this.#writer.flush?.() ?? []
    this.frames += output.length
    return output
  }

  #take(frames: readonly Frame[]): readonly Buffer[] {
    return frames.flatMap((frame) => this.#tell(this.#eventsOf(frame)))
  }

  /**
   * Applies the provider's error detection and chunk adjustment, for vendors that deviate from their dialect.
   */
  #eventsOf(frame: Frame): readonly ReplyEvent[] {
    const { errorInside, adjustChunk } = this.#rules
    const isPlain = errorInside === undefined && adjustChunk === undefined
    const chunk = isPlain ? undefined : parseObject(frame.data)
    if (chunk === undefined) return this.#reader.push(frame)
    const words = Array.isArray(chunk['choices']) ? undefined : errorInside?.(chunk)
    if (words !== undefined) return [{ type: 'error', error: insideError(words) }]
    if (adjustChunk === undefined) return this.#reader.push(frame)
    return this.#reader.push({ ...frame, data: JSON.stringify(adjustChunk.apply(chunk)) })
  }

  #tell(events: readonly ReplyEvent[]): readonly Buffer[] {
    const output: Buffer[] = []
    for (const event of events) {
      if (this.#error !== undefined || this.#isComplete) break
      this.#note(event)
      if (event.type === 'reply-start') this.#start = event
      else for (const shown of this.#begun(event)) output.push(...this.#writer.push(shown))
    }
    this.frames += output.length
    return output
  }

  /**
   * Holds the `reply-start` back until the first content: before that, the call can still be retried with
   * another upstream.
   */
  #begun(event: ReplyEvent): readonly ReplyEvent[] {
    const start = this.#start
    if (start === undefined || event.type === 'error') return this.#shown(event)
    this.#start = undefined
    return [...this.#shown(this.#withUsage(start)), ...this.#shown(event)]
  }

  /** Some vendors tell the input before the first content, in a frame of its own. */
  #withUsage(start: ReplyEvent): ReplyEvent {
    if (start.type !== 'reply-start' || start.usage !== undefined) return start
    const usage = this.#reader.usageWithCounts
    return usage === undefined ? start : { ...start, usage }
  }

  #shown(event: ReplyEvent): readonly ReplyEvent[] {
    if (event.type === 'reply-end' && !this.#hasToldUsage) return [this.#ownUsage(), event]
    if (this.#calls !== undefined) return this.#calls.push(event).flatMap((each) => this.#withThinking(each))
    return this.#withThinking(event)
  }

  #withThinking(event: ReplyEvent): readonly ReplyEvent[] {
    return this.#thinking === undefined ? [event] : this.#thinking.push(event)
  }

  /**
   * Usage for a caller when the upstream reported none or was cut off before its final usage: the local
   * counts fill the gaps.
   */
  #ownUsage(): ReplyEvent {
    const counted = { input: this.#rules.context.inputTokensCounted, output: this.#count.tokens }
    return { type: 'usage', usage: usageWithCounts(this.#usage, counted) }
  }

  #note(event: ReplyEvent): void {
    this.#count.push(event)
    this.#open.push(event)
    if (event.type === 'part-start') reportSignedCall(event.opening, this.#rules)
    reportEventSeal(event, this.#rules)
    if (event.type === 'reply-start') this.#noteStart(event)
    else if (event.type === 'usage') this.#noteUsage(event.usage)
    else if (event.type === 'choice-end') this.#finish ??= finishOf(event.end)
    else if (event.type === 'error') this.#error = event.error
    else if (event.type === 'reply-end') this.#isComplete = true
  }

  /** Takes the usage reported so far, for a stream that did not reach its end. */
  #hearUsage(): void {
    if (!this.#hasToldUsage) this.#usage = this.#reader.usageWithCounts ?? this.#usage
  }

  #noteStart({ id, model, usage }: Extract<ReplyEvent, { type: 'reply-start' }>): void {
    this.#replyId = id
    this.#model = model
    this.#usage = usage
  }

  #noteUsage(usage: Usage): void {
    this.#usage = usage
    this.#hasToldUsage = true
  }
}
