import type { JsonObject } from '../json.ts'
import type { CacheMarker, Part } from './part.ts'
import type { Extras, Raw } from './raw.ts'
import type { Tool, ToolChoice } from './tool.ts'

/**
 * What a caller asks, in no vendor's words. Caller dialects read it, upstream dialects write it; neither changes what it
 * was given. An absent member was not told, and an upstream's own default decides.
 */
export interface Conversation {
  readonly model: string
  readonly isStream: boolean
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
  /** `false`: one tool call at a time. */
  readonly parallelToolCalls?: boolean
  readonly format?: OutputFormat
  readonly sampling: Sampling
  readonly reasoning?: ReasoningWish
  readonly stop: readonly string[]
  readonly outputTokensMax?: number
  /** Answers wanted; 1 unless told. */
  readonly choices: number
  readonly logprobs?: LogprobsWish
  readonly modalities?: readonly ('text' | 'audio' | 'image')[]
  readonly audio?: { readonly voice: unknown; readonly format: string }
  readonly verbosity?: string
  readonly serviceTier?: Raw<string>
  readonly metadata: Metadata
  /** Whether a stream ends with its usage; what the caller said, if anything. */
  readonly wantsUsage?: boolean
  readonly extras: Extras
}

/**
 * One turn. Results of tools are parts of a `user` turn, wherever a dialect puts them. System texts stay in their place:
 * a dialect that has them apart collects them in order. Turns of one role may follow each other.
 */
export interface Message {
  readonly role: 'system' | 'developer' | 'user' | 'assistant'
  readonly parts: readonly Part[]
  readonly name?: string
  readonly cache?: CacheMarker
  readonly extras?: Raw<JsonObject>
}

export type OutputFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json' }
  | {
      readonly type: 'schema'
      readonly name: string
      readonly schema: JsonObject
      readonly description?: string
      readonly isStrict?: boolean
    }

export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly frequencyPenalty?: number
  readonly presencePenalty?: number
  readonly logitBias?: Readonly<Record<string, number>>
  readonly seed?: number
}

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/** How much the model should think, by effort, by budget or not at all. */
export interface ReasoningWish {
  /** `adaptive`: the model decides how much. Absent: only an effort or a budget was told. */
  readonly mode?: 'on' | 'off' | 'adaptive'
  readonly effort?: Effort
  readonly budgetTokens?: number
  /** What the caller wants to see of it. */
  readonly shows?: 'nothing' | 'summary' | 'everything'
  /** The words it was told in. */
  readonly raw?: Raw
}

export interface LogprobsWish {
  /** Alternatives per token; 0 = only the chosen one. */
  readonly top: number
}

/** Says something about the call, never about the answer. */
export interface Metadata {
  readonly userId?: string
  readonly cacheKey?: string
  readonly entries?: JsonObject
}
