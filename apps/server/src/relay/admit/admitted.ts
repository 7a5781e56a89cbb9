import type { Ask } from '@tollgate/dialects/dialect'
import type { UncountedInput } from '@tollgate/dialects/uncounted-input'
import type { CallOperation } from '@tollgate/dialects/conversations'
import type { Candidates, PriceBook } from '../../snapshots/snapshots.ts'
import type { RelaySettings } from '../../snapshots/relay-settings.ts'
import type { Call } from '../call.ts'
import type { Caller } from './caller.ts'

/** A group and who could serve a call in it. */
export interface Offer {
  readonly group: string
  readonly candidates: Candidates
}

/** How often an upstream may run its tools in one answer, and what it may read for each of these calls. */
export interface ToolLimits {
  readonly calls: number
  readonly tokensOfCall: number
}

/** A call that may go on: who pays, what they ask for, and the snapshots it keeps to its end. */
export interface Admitted {
  readonly call: Call
  readonly operation: CallOperation
  readonly caller: Caller
  readonly ask: Ask
  /** What the call makes an upstream read beyond what its request holds. */
  readonly uncounted: UncountedInput | undefined
  /** Where the tools that the upstream runs were given limits: what they can bring in at most. */
  readonly toolLimits?: ToolLimits
  /** Routes and prices the call. */
  readonly group: string
  /** Who could serve it; with a pinned channel that one alone. */
  readonly candidates: Candidates
  /** Groups that follow, in this order, when this one fails. */
  readonly fallbacks: readonly Offer[]
  readonly prices: PriceBook
  readonly settings: RelaySettings
}
