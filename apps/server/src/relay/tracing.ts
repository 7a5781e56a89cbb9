import type { Call } from './call.ts'
import type { Outcome } from './outcome.ts'
import type { Held } from './stations/hold/held.ts'
import type { Choice } from './stations/route/choice.ts'

/** Traces of calls, where the operator configured a collector; see `tracing/`. */
export interface Tracing {
  begin(call: Call): void
  /** `undefined` for a call that is not sampled. */
  of(call: Call): CallTrace | undefined
  /** Sends what is waiting. */
  close(): Promise<void>
}

/** The spans of one call. No method throws. */
export interface CallTrace {
  /** Header for the upstream of the attempt under way. */
  readonly traceparent: string
  held(held: Held, now: number): void
  attempting(held: Held, choice: Choice, now: number): void
  attempted(outcome: Outcome, now: number): void
  settled(held: Held, settlement: SettledTrace): void
  /** Ends the trace; `code` says why the call was refused. */
  end(now: number, code?: string): void
}

export interface SettledTrace {
  readonly outcome: Outcome
  readonly charged: bigint | undefined
  readonly startedAt: number
  readonly now: number
}
