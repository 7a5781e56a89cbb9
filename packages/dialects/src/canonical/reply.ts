import type { JsonObject } from '../json.ts'
import type { Usage } from '../usage.ts'
import type { Part } from './part.ts'
import type { Raw } from './raw.ts'

/** A whole answer, in no vendor's words. */
export interface Reply {
  /** As the upstream named it; may be empty. */
  readonly id: string
  /** As the upstream named it; may be empty. */
  readonly model: string
  readonly createdSeconds?: number
  /** At least one, in the order of their indexes, which are 0, 1, 2, … */
  readonly choices: readonly ReplyChoice[]
  readonly usage?: Usage
  readonly serviceTier?: string
  /** Members of the answer we do not know, for the dialect they came in. */
  readonly extras?: Raw<JsonObject>
}

export interface ReplyChoice {
  /** In the order the model wrote them. No two texts that could be one follow each other without a reason. */
  readonly parts: readonly Part[]
  readonly end: ChoiceEnd
}

/** Why a choice ended, and what the upstream called it. */
export interface ChoiceEnd {
  readonly reason: EndReason
  readonly raw: string
  /** The stop text that was met. */
  readonly stopSequence?: string
  /** What a filter or the model says about it. */
  readonly detail?: Raw
}

export type EndReason =
  | 'stop'
  | 'stop-sequence'
  /** The caller's or the model's limit on output. */
  | 'length'
  /** The context window is full. */
  | 'context-full'
  | 'tool-calls'
  /** The model will not. */
  | 'refusal'
  /** The vendor's filter took the answer, or the rest of it. */
  | 'filtered'
  /** The vendor's own tools are at work; the caller may ask to go on. */
  | 'paused'
  | 'other'
