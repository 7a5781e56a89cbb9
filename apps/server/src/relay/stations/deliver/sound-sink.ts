import type { UsageReader } from '@tollgate/dialects/dialect'
import { SpeechMeter } from '@tollgate/dialects/media/sound'
import { verdictOfBreak, type BreakReason } from '../attempt/break.ts'
import type { Exchange, Sink, UpstreamHead } from '../attempt/exchange.ts'
import { verdictOfProblem } from '../attempt/verdict.ts'
import { toStreamEnd, type UnsentAnswer, type Route, type StreamEnd } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import type { StreamMeter } from './stream-meter.ts'
import { openSound } from './outlet.ts'
import { WithheldTail } from './withheld-tail.ts'

const NOTHING = Buffer.alloc(0)

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
 * Passes sound on as it arrives. It stores only the end: the last bytes, or the events from the usage on,
 * which wait for the settlement. Until the first byte, a failure may still lead to another channel.
 */
export class SoundSink implements Sink {
  readonly #input: SoundSinkInput
  readonly #reader: SpeechMeter
  readonly #end = new WithheldTail()
  #hasBegun = false

  constructor(input: SoundSinkInput) {
    this.#input = input
    const { held, head, readUsage } = input
    const type = head.headers['content-type']
    this.#reader = new SpeechMeter({ ask: held.ask, type, readUsage })
  }

  get heldBytes(): number {
    return this.#end.rest().length + this.#input.held.call.untakenBytes
  }

  data(chunk: Buffer): void {
    const { held, exchange, bytesMax } = this.#input
    const { call } = held
    if (!this.#hasBegun) this.#begin()
    this.#reader.push(chunk)
    if (this.#reader.bytes > bytesMax) return exchange.stop({ type: 'too-large', limit: bytesMax })
    const bytes = this.#ready(chunk)
    if (call.isGone || bytes.length === 0 || call.response.write(bytes)) return
    exchange.pause()
    call.response.once('drain', () => exchange.resume())
  }

  end(): void {
    if (!this.#hasBegun) return this.#fail(verdictOfProblem('empty_response'))
    this.#finish('complete', { type: 'bytes', bytes: this.#end.rest() })
  }

  /**
   * A sound file cannot contain an error message; the only way to report one is to end the connection early.
   */
  broke(reason: BreakReason): void {
    if (!this.#hasBegun) return this.#fail(verdictOfBreak(reason))
    this.#finish(toStreamEnd(reason), { type: 'abort' })
  }

  tick(now: number): void {
    if (this.#hasBegun) this.#input.meter.checkpointEvery(now, 0)
  }

  #begin(): void {
    const { held, meter, now, head } = this.#input
    this.#hasBegun = true
    held.call.firstByteAt = now()
    meter.checkpoint(held.call.firstByteAt)
    openSound(held.call, head.headers['content-type'])
  }

  #fail(failure: ReturnType<typeof verdictOfProblem>): void {
    this.#input.exchange.finish({ type: 'failed', failure })
  }

  /** Events must not be split, because a player waits for the rest of each. */
  #ready(chunk: Buffer): Buffer {
    if (!this.#reader.isEventStream) return this.#end.push(chunk)
    if (!this.#reader.isClosing) return chunk
    this.#end.keep(chunk)
    return NOTHING
  }

  #finish(ending: StreamEnd, rest: UnsentAnswer): void {
    const { exchange, route } = this.#input
    exchange.finish({ type: 'delivered', ending, reading: this.#reader.end(), ...route, rest })
  }
}
