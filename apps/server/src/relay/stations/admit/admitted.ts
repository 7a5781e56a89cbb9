import type { Ask } from '@tollgate/dialects/dialect'
import type { UncountedInput } from '@tollgate/dialects/uncounted-input'
import type { Candidates, PriceBook } from '../../../snapshots/snapshots.ts'
import type { RelaySettings } from '../../../snapshots/relay-settings.ts'
import type { Binding } from '../../affinity/binding.ts'
import type { CallAffinity } from '../../affinity/call-affinity.ts'
import type { Call } from '../../call.ts'
import type { CallSeals } from '../../seals/call-seals.ts'
import type { Operation } from '../../operations/operation.ts'
import type { Caller } from './caller.ts'

/** A group and the channels that could serve the call in it. */
export interface GroupCandidates {
  readonly group: string
  readonly candidates: Candidates
}

/**
 * How often an upstream may run its tools in one response, and how many tokens each of these runs may read.
 */
export interface ToolLimits {
  readonly calls: number
  readonly tokensOfCall: number
}

/** A call that passed admission: who pays, what was requested, and the snapshots it uses to its end. */
export interface Admitted {
  readonly call: Call
  readonly operation: Operation
  readonly caller: Caller
  readonly ask: Ask
  /** The session that the call belongs to, as a keyed hash; `undefined` where the caller named none. */
  readonly session?: string | undefined
  /** Absent where the call is not kept on a channel and key. */
  readonly affinity?: CallAffinity | undefined
  /** The channel and key that keep the conversation which the call continues; no other can serve it. */
  readonly keeper?: Binding | undefined
  /** Signatures and encrypted reasoning in the request; absent where it has none. */
  readonly seals?: CallSeals | undefined
  /** Input that the call makes an upstream read beyond what is in the request. */
  readonly uncounted: UncountedInput | undefined
  /**
   * Further models that the caller's members name and that are kept: the token, the group and every candidate
   * allow them, they have a price, and the vendor reports which model served.
   */
  readonly namedModels: readonly string[]
  /** The most that tools run by the upstream can add, where they were given limits. */
  readonly toolLimits?: ToolLimits
  /** A candidate wrote more than a call had asked for within the last 30 days. */
  readonly writesMore?: boolean
  /** The group by which the call is routed and priced. */
  readonly group: string
  /** The channels that could serve the call; only the pinned channel when there is one. */
  readonly candidates: Candidates
  /** Groups to try, in this order, when this one fails. */
  readonly fallbacks: readonly GroupCandidates[]
  readonly prices: PriceBook
  readonly settings: RelaySettings
}
