import type { Reading, UsageReader } from '@tollgate/dialects/dialect'
import { SpeechMeter } from '@tollgate/dialects/media/sound'
import { verdictOfBreak, type BreakReason } from '../attempt/break.ts'
import type { Exchange, Sink, UpstreamHead } from '../attempt/exchange.ts'
import { verdictOfProblem } from '../attempt/verdict.ts'
import type { StreamEnd, Route } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import type { StreamMeter } from './stream-meter.ts'
import { openSound } from './outlet.ts'

export interface SoundSinkInput {
  readonly held: Held
  readonly exchange: Exchange
  readonly head: UpstreamHead
  readonly meter: StreamMeter
  readonly bytesMax: number
  readonly readUsage: UsageReader
  readonly now: () => number
  readonly route: Route
}

/**
 * Passes sound on as it arrives and stores none of it. Until the first byte, a failure may still lead to
 * another channel.
 */
export class SoundSink implements Sink {
  readonly #input: SoundSinkInput
  readonly #reader: SpeechMeter
  #hasBegun = false

  constructor(input: SoundSinkInput) {
    this.#input = input
    const { held, head, readUsage } = input
    const type = head.headers['content-type']
    this.#reader = new SpeechMeter({ ask: held.ask, type, readUsage })
  }

  data(chunk: Buffer): void {
    const { held, exchange, bytesMax } = this.#input
    const { call } = held
    if (!this.#hasBegun) this.#begin()
    this.#reader.push(chunk)
    if (this.#reader.bytes > bytesMax) return exchange.stop({ type: 'too-large', limit: bytesMax })
    if (call.isGone || call.response.write(chunk)) return
    exchange.pause()
    call.response.once('drain', () => exchange.resume())
  }

  end(): void {
    if (!this.#hasBegun) return this.#fail(verdictOfProblem('empty_response'))
    const { call } = this.#input.held
    if (!call.isGone) call.response.end()
    this.#finish('complete', this.#reader.end())
  }

  /**
   * A sound file cannot contain an error message; the only way to report one is to end the connection early.
   */
  broke(reason: BreakReason): void {
    if (!this.#hasBegun) return this.#fail(verdictOfBreak(reason))
    this.#input.held.call.response.destroy()
    const isOurs = reason.type === 'drained' || reason.type === 'stopped' || reason.type === 'too-long'
    this.#finish(isOurs ? 'cancelled' : 'broken', this.#reader.end())
  }

  tick(now: number): void {
    if (this.#hasBegun) this.#input.meter.checkpointEvery(now, 0)
  }

  #begin(): void {
    const { held, meter, now, head } = this.#input
    this.#hasBegun = true
    held.call.firstByteAt = now()
    meter.checkpointFirst(held.call.firstByteAt)
    openSound(held.call, head.headers['content-type'])
  }

  #fail(failure: ReturnType<typeof verdictOfProblem>): void {
    this.#input.exchange.finish({ type: 'failed', failure })
  }

  #finish(ending: StreamEnd, reading: Reading): void {
    const { exchange, route } = this.#input
    exchange.finish({ type: 'delivered', ending, reading, ...route })
  }
}
