import type { Call } from '../relay/call.ts'
import type { Outcome } from '../relay/outcome.ts'
import type { Held } from '../relay/stations/hold/held.ts'
import type { Choice } from '../relay/stations/route/choice.ts'
import type { CallTrace, SettledTrace } from '../relay/tracing.ts'
import { RecordedTrace, type TraceParts } from './recorded-trace.ts'
import { type CallIds, traceparentOf } from './trace-ids.ts'
import type { TraceLimit } from './trace-limit.ts'

/** The spans of the hold and of the first attempt, by their index. */
const FIRST_ATTEMPT = 2

export interface PendingParts extends TraceParts {
  /** Traces of calls in trouble. */
  readonly troubled: Pick<TraceLimit, 'take'>
}

/**
 * A call that is not traced unless it gets into trouble: an attempt fails, or the call does after its hold. Then a
 * recorded trace takes its place, with the hold and the attempt that it has passed.
 */
export class PendingTrace implements CallTrace {
  readonly #call: Call
  readonly #ids: CallIds
  readonly #parts: PendingParts
  #held: Held | undefined
  #heldAt = 0
  #choice: Choice | undefined
  #attemptAt = 0

  constructor(call: Call, ids: CallIds, parts: PendingParts) {
    this.#call = call
    this.#ids = ids
    this.#parts = parts
  }

  get traceparent(): string {
    const index = this.#choice === undefined ? 0 : FIRST_ATTEMPT
    return traceparentOf(this.#ids.ids, { index, isSampled: false })
  }

  held(held: Held, now: number): void {
    this.#held = held
    this.#heldAt = now
  }

  attempting(held: Held, choice: Choice, now: number): void {
    this.#held = held
    this.#choice = choice
    this.#attemptAt = now
  }

  attempted(outcome: Outcome, now: number): void {
    if (outcome.type === 'failed') this.#record(now)?.attempted(outcome, now)
  }

  settled(held: Held, settlement: SettledTrace): void {
    if (settlement.outcome.type === 'failed') this.#record(settlement.now)?.settled(held, settlement)
  }

  end(now: number, code?: string): void {
    if (code !== undefined && this.#held !== undefined) this.#record(now)?.end(now, code)
  }

  #record(now: number): RecordedTrace | undefined {
    this.#call.trace = undefined
    if (!this.#parts.troubled.take(now)) return undefined
    const trace = new RecordedTrace(this.#call, { ids: this.#ids.ids, isSampled: false }, this.#parts)
    if (this.#held !== undefined) trace.held(this.#held, this.#heldAt)
    if (this.#held !== undefined && this.#choice !== undefined)
      trace.attempting(this.#held, this.#choice, this.#attemptAt)
    this.#call.trace = trace
    return trace
  }
}
