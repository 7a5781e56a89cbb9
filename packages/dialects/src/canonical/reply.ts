import type { JsonObject } from '../json.ts'
import type { Usage } from '../usage.ts'
import type { Part } from './part.ts'
import type { Raw } from './raw.ts'

/** A complete answer in a vendor-neutral form. */
export interface Reply {
  /** Id given by the upstream; may be empty. */
  readonly id: string
  /** Model name given by the upstream; may be empty. */
  readonly model: string
  readonly createdSeconds?: number
  /** At least one, sorted by index; the indexes are 0, 1, 2, … */
  readonly choices: readonly ReplyChoice[]
  readonly usage?: Usage
  readonly serviceTier?: string
  /** Unknown members of the response, for the dialect they came in. */
  readonly extras?: Raw<JsonObject>
}

export interface ReplyChoice {
  /**
   * In the order in which the model wrote them. Consecutive texts that could be merged have been merged,
   * unless there is a reason to keep them apart.
   */
  readonly parts: readonly Part[]
  readonly end: ChoiceEnd
}

/** Reason why a choice ended, and the upstream's own value for it. */
export interface ChoiceEnd {
  readonly reason: EndReason
  readonly raw: string
  /** The stop sequence that was produced. */
  readonly stopSequence?: string
  /** Explanation given by a content filter or by the model. */
  readonly detail?: Raw
}

export type EndReason =
  | 'stop'
  | 'stop-sequence'
  /** The output limit of the caller or the model was reached. */
  | 'length'
  /** The context window is full. */
  | 'context-full'
  | 'tool-calls'
  /** The model refused. */
  | 'refusal'
  /** The vendor's filter removed the answer or the rest of it. */
  | 'filtered'
  /** The vendor's own tools are running; the caller may continue the turn. */
  | 'paused'
  | 'other'
