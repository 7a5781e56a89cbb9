import type { CallOperation } from '@tollgate/dialects/conversations'
import type { OwnerEntry, RosterChannel, TokenEntry } from '../snapshots/snapshots.ts'

/** What the relay in this process knows about its channels, and how it would route a call. */
export interface RoutingInsight {
  /** In the order of the keys; empty for a channel that cannot be used. */
  keySnapshots(channelId: number): readonly KeySnapshot[]
  /** Resets the recorded failures of these keys, which are named by their hashes. */
  pardonKeys(channelId: number, hashes: ReadonlySet<string>): void
  isResting(channelId: number): boolean
  /** Traffic counts that are not stored in the database yet. */
  traffic(): readonly Traffic[]
  explain(question: RouteQuestion): Promise<RouteExplanation>
  /** How many sessions are bound to a channel and key. */
  bindings(): Promise<number>
  /** Unbinds all sessions; returns how many there were. */
  clearBindings(): Promise<number>
  /** What the relay learned about the channel's models from refused requests, oldest first. */
  lessonsOf(channelId: number): Promise<readonly LearnedLesson[]>
  /** Applies to every process. */
  forgetLessons(channelId: number): Promise<void>
}

export interface LearnedLesson {
  /** "" applies to every model. */
  readonly model: string
  readonly name: string
  readonly learnedMs: number
  readonly endsMs: number
}

export interface KeySnapshot {
  /**
   * `open`: the circuit is open. `resting`: cooling down, because the upstream asked to wait or refused the
   * key.
   */
  readonly state: 'ready' | 'resting' | 'open'
  readonly restMs: number
  /** Uses not yet written to the database. */
  readonly uses: number
}

export interface TrafficError {
  readonly at_ms: number
  readonly status: number
  readonly code: string
  readonly detail: string
}

/** Results of the attempts on one channel over a period. */
export interface Traffic {
  readonly channelId: number
  readonly succeeded: number
  readonly failed: number
  /** Histogram of the time to the first byte: bucket to count; see `@tollgate/kit/buckets`. */
  readonly firstBytes: ReadonlyMap<number, number>
  /** The latest errors, oldest first. */
  readonly errors: readonly TrafficError[]
}

export interface RouteQuestion {
  readonly group: string
  readonly model: string
  readonly operation: CallOperation
  /** Number of further attempts after a failure. */
  readonly retries: number
  /** Ids of channels that are assumed to fail. */
  readonly failing: ReadonlySet<number>
  /** Number of dry runs; no request is sent. */
  readonly draws: number
  /** The session of the call, as the usage log has it. */
  readonly session?: string | undefined
  /** A call that a rule of the site takes; decides before `session`. */
  readonly ruled?: RuledCallQuestion | undefined
}

export interface RuledCallQuestion {
  /** Name of the rule. */
  readonly rule: string
  /** What the rule finds in the call; "" where the caller alone decides it. */
  readonly value: string
  readonly owner: OwnerEntry
  readonly token: TokenEntry | undefined
}

/** Why a channel is a candidate for the call, or why not. */
export type Standing =
  | 'candidate'
  | 'resting'
  | 'disabled'
  | 'withdrawn'
  | 'no-key'
  | 'other-group'
  | 'no-model'
  | 'prefixed-away'
  | 'no-operation'

export interface RouteExplanation {
  /** The model name without a channel prefix. */
  readonly model: string
  readonly channels: readonly ExplainedChannel[]
  /** For each attempt, how often each channel was drawn in `draws` dry runs. */
  readonly attempts: readonly ReadonlyMap<number, number>[]
  /** What affinity would do for the session; absent without one. */
  readonly affinity?: ExplainedAffinity
  /** Names of the site's rules that take calls of the model, in the order in which they are tried. */
  readonly rules: readonly string[]
  /** Number of dry runs in which no channel served the call. */
  readonly unserved: number
  readonly draws: number
}

/** `bound`: the first attempt takes this channel and key. `moved`: it is bound, and another one is drawn. */
export type ExplainedAffinity =
  | { readonly result: 'none'; readonly reason: NoAffinity }
  | { readonly result: 'new'; readonly rule?: ExplainedRule | undefined }
  | {
      readonly result: 'bound' | 'moved'
      readonly channelId: number
      readonly keyIndex: number | undefined
      readonly rule?: ExplainedRule | undefined
    }

export interface ExplainedRule {
  readonly name: string
  /** When the channel of the session fails, no other is tried. */
  readonly staysOnFailure: boolean
}

/**
 * `off`: the site has switched affinity off. `rule`: there is no such rule. `model`: the rule does not take calls of
 * the model. `value`: the rule does not take the value.
 */
export type NoAffinity = 'off' | 'rule' | 'model' | 'value'

export interface ExplainedChannel {
  readonly channel: RosterChannel
  readonly standing: Standing
  /** Index of the candidate's tier, from 0; `undefined` for a channel that is not a candidate. */
  readonly tier: number | undefined
  /** Probability within the tier when no channel is in cool-down, from 0 to 1. */
  readonly share: number
  readonly keysReady: number
}
