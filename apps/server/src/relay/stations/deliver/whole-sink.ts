import type { Reading } from '@tollgate/dialects/dialect'
import { addTokens, KEPT_BYTES, LongStrings } from '@tollgate/dialects/aside/long-strings'
import type { ChatAnswer } from '@tollgate/dialects/openai/answer'
import type { PairRules } from '@tollgate/dialects/pair/pair'
import { readWhole, readWholeAsStream } from '@tollgate/dialects/pair/read-whole'
import { endUnsent, type BreakReason } from '../attempt/break.ts'
import type { Exchange, Sink } from '../attempt/exchange.ts'
import { verdictContext, verdictOfError } from '../attempt/verdict.ts'
import type { UnsentAnswer, Route } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import { Collected } from './collected.ts'
import type { StreamMeter } from './stream-meter.ts'

export interface WholeSinkInput {
  readonly held: Held
  readonly exchange: Exchange
  readonly meter: StreamMeter
  readonly rules: PairRules
  readonly status: number
  /** Bytes that the upstream announced; not a number if it announced none. */
  readonly length: number
  readonly bytesMax: number
  readonly now: () => number
  readonly route: Route
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Collects a whole response until it is complete and valid; until then another channel may be tried. It is
 * delivered after it was settled. A caller who requested a stream gets it as a stream of one chunk.
 */
export class WholeSink implements Sink {
  readonly #input: WholeSinkInput
  #body = new Collected()
  /** Set once the response is so large that its long strings are set aside. */
  #strings: LongStrings | undefined
  #bytes = 0
  #firstAt: number | undefined
  #isThrough = false

  constructor(input: WholeSinkInput) {
    this.#input = input
  }

  /** All of a response whose length was announced, from its head on. */
  get heldBytes(): number {
    const { length, bytesMax } = this.#input
    return length > this.#bytes ? Math.min(length, bytesMax) : this.#bytes
  }

  get isGrowing(): boolean {
    return !this.#isThrough && !Number.isSafeInteger(this.#input.length)
  }

  data(chunk: Buffer): void {
    const { bytesMax, length, exchange, now } = this.#input
    const isFirst = this.#firstAt === undefined
    this.#firstAt ??= now()
    this.#bytes += chunk.length
    this.#add(chunk)
    // With its last byte the response is complete, in the same turn of the event loop.
    if (isFirst && this.#bytes !== length) this.#begin(this.#firstAt)
    if (this.#bytes > bytesMax) exchange.stop({ type: 'too-large', limit: bytesMax })
  }

  #add(chunk: Buffer): void {
    if (this.#strings !== undefined) {
      for (const piece of this.#strings.push(chunk)) this.#body.add(piece)
      return
    }
    this.#body.add(chunk)
    if (this.#bytes <= KEPT_BYTES || !mayShorten(this.#input)) return
    this.#strings = new LongStrings()
    const begun = this.#body.bytes()
    this.#body = new Collected()
    for (const piece of this.#strings.push(begun)) this.#body.add(piece)
  }

  end(): void {
    const { held, exchange, route, now, rules } = this.#input
    this.#isThrough = true
    const answer = this.#read()
    const { error } = answer.reading
    if (error !== undefined) {
      const failure = verdictOfError(error, verdictContext(held, route.channel, rules.originalTools))
      return exchange.finish({ type: 'failed', failure })
    }
    held.call.firstByteAt ??= now()
    this.#noteUncounted(answer.reading)
    const { reading } = answer
    exchange.finish({ ...route, type: 'delivered', ending: 'complete', reading, rest: this.#restOf(answer) })
  }

  broke(reason: BreakReason): void {
    this.#isThrough = true
    this.#input.exchange.finish(endUnsent(reason, this.#input.route))
  }

  tick(now: number): void {
    if (this.#firstAt !== undefined) this.#input.meter.checkpointEvery(now, 0)
  }

  /**
   * From its first byte on, a response must be paid for. One that is complete in the same turn of the event
   * loop is settled in the transaction in which its checkpoint would be written, so it needs none.
   */
  #begin(now: number): void {
    setImmediate(() => {
      if (!this.#isThrough) this.#input.meter.checkpoint(now)
    })
  }

  /**
   * Counting the tokens of a response without usage takes several turns of the event loop, and the response
   * may be sent before it is settled if that takes too long; so a checkpoint is written first.
   */
  #noteUncounted(reading: Reading): void {
    const { meter, now } = this.#input
    if (reading.usage === undefined) meter.checkpoint(now(), reading.outputTokensCounted)
  }

  #read() {
    const { held, rules } = this.#input
    const strings = this.#strings
    if (strings !== undefined) this.#body.add(strings.endLine())
    const bytes = this.#body.bytes()
    const answer = held.ask.isStream ? readWholeAsStream(bytes, rules) : readWhole(bytes, rules)
    if (strings === undefined || answer.reading.error !== undefined) return answer
    return { ...answer, reading: addTokens(answer.reading, strings.tokens) }
  }

  #restOf({ bytes: body, type = JSON_TYPE }: ChatAnswer): UnsentAnswer {
    const { held, status, route } = this.#input
    if (held.ask.isStream) {
      route.transcript?.push([body])
      return { type: 'frames', frames: [body] }
    }
    route.transcript?.whole(body)
    return { type: 'whole', answer: { status, type, body, strings: this.#strings } }
  }
}

/**
 * Whether long strings may be set aside: of conversations in JSON, where nobody keeps their texts and no vendor's
 * form is adjusted.
 */
function mayShorten({ held, rules, route }: WholeSinkInput): boolean {
  if (held.operation.isConversation !== true || held.ask.isStream || rules.isCollected === true) return false
  return (
    route.transcript === undefined && rules.adjustAnswer === undefined && rules.extractAudio === undefined
  )
}
