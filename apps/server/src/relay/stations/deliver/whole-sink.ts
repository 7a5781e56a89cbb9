import type { Reading } from '@tollgate/dialects/dialect'
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
  readonly #body = new Collected()
  #firstAt: number | undefined
  #isThrough = false

  constructor(input: WholeSinkInput) {
    this.#input = input
  }

  /** All of a response whose length was announced, from its head on. */
  get heldBytes(): number {
    const { length, bytesMax } = this.#input
    return length > this.#body.size ? Math.min(length, bytesMax) : this.#body.size
  }

  get isGrowing(): boolean {
    return !this.#isThrough && !Number.isSafeInteger(this.#input.length)
  }

  data(chunk: Buffer): void {
    const { bytesMax, length, exchange, now } = this.#input
    const isFirst = this.#firstAt === undefined
    this.#firstAt ??= now()
    this.#body.add(chunk)
    // With its last byte the response is complete, in the same turn of the event loop.
    if (isFirst && this.#body.size !== length) this.#begin(this.#firstAt)
    if (this.#body.size > bytesMax) exchange.stop({ type: 'too-large', limit: bytesMax })
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
    const bytes = this.#body.bytes()
    return held.ask.isStream ? readWholeAsStream(bytes, rules) : readWhole(bytes, rules)
  }

  #restOf({ bytes: body, type = JSON_TYPE }: ChatAnswer): UnsentAnswer {
    const { held, status, route } = this.#input
    if (held.ask.isStream) {
      route.transcript?.push([body])
      return { type: 'frames', frames: [body] }
    }
    route.transcript?.whole(body)
    return { type: 'whole', answer: { status, type, body } }
  }
}
