import type { JsonObject } from '../json.ts'
import type { CacheMarker, Part } from './part.ts'
import type { Extras, Raw } from './raw.ts'
import type { Tool, ToolChoice } from './tool.ts'

/**
 * A caller's request in a vendor-neutral form. Caller dialects read it and upstream dialects write it;
 * neither mutates it. An absent member was not set by the caller, so the upstream's own default applies.
 */
export interface Conversation {
  readonly model: string
  readonly isStream: boolean
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
  /** `false`: the model may make only one tool call at a time. */
  readonly parallelToolCalls?: boolean
  readonly format?: OutputFormat
  readonly sampling: Sampling
  readonly reasoning?: ReasoningRequest
  readonly stop: readonly string[]
  readonly outputTokensMax?: number
  /** Number of answers requested; 1 by default. */
  readonly choices: number
  readonly logprobs?: LogprobsRequest
  readonly modalities?: readonly ('text' | 'audio' | 'image')[]
  readonly audio?: { readonly voice: unknown; readonly format: string }
  readonly verbosity?: string
  readonly serviceTier?: Raw<string>
  readonly metadata: Metadata
  /** Whether the caller asked for usage at the end of the stream; absent if the caller did not say. */
  readonly wantsUsage?: boolean
  readonly extras: Extras
}

/**
 * One turn of the conversation. Tool results are parts of a `user` turn, wherever a dialect puts them. System
 * messages keep their place; a dialect with a separate system prompt collects them in order. Consecutive
 * turns may have the same role.
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

/** How much the model should think: an effort, a token budget, or not at all. */
export interface ReasoningRequest {
  /** `adaptive`: the model decides how much. Absent: the caller set only an effort or a budget. */
  readonly mode?: 'on' | 'off' | 'adaptive'
  readonly effort?: Effort
  readonly budgetTokens?: number
  /** How much of the reasoning the caller wants to see. */
  readonly shows?: 'nothing' | 'summary' | 'everything'
  /** The setting as the caller's dialect wrote it. */
  readonly raw?: Raw
}

export interface LogprobsRequest {
  /** Number of alternatives per token; 0 = only the chosen token. */
  readonly top: number
}

/** Information about the request that does not influence the answer. */
export interface Metadata {
  readonly userId?: string
  readonly cacheKey?: string
  readonly entries?: JsonObject
}

/** Whether a message of any dialect with roles instructs the model; OpenAI later renamed the role. */
export function isSystem({ role }: { readonly role?: unknown }): boolean {
  return role === 'system' || role === 'developer'
}
