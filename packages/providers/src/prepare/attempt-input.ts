import type { Ask } from '@tollgate/dialects/dialect'
import type { CallOperation } from '@tollgate/dialects/conversations'
import type { LessonName } from '@tollgate/dialects/traits/lessons'
import type { SealTest } from '@tollgate/dialects/seals/seal-format'
import type { ModelTraits } from '@tollgate/dialects/traits/model-traits'
import type { ClaudeOptions } from '../claude-options.ts'
import type { GeminiOptions } from '../gemini-options.ts'
import type { Override } from '../override/override.ts'
import type { Provider, Upstream } from '../provider.ts'

export interface AttemptInput {
  readonly provider: Provider
  readonly upstream: Upstream
  /** The operation that the client called. */
  readonly operation: CallOperation
  readonly ask: Ask
  /** The upstream's name of the model, after the prefix and the model mapping were applied. */
  readonly model: string
  /** May differ from the client's request: a channel that does not stream is called for a whole response. */
  readonly isStream: boolean
  /** The channel's parameter override, which is applied last. It cannot change `stream`. */
  readonly parameterOverride?: Override | undefined
  /** All headers of the client, for overrides that read them. */
  readonly requestHeaders?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The client's query string; only parameters that a provider uses are passed on. */
  readonly query: URLSearchParams
  /** The client's headers that an upstream with the same API format may receive. */
  readonly callerHeaders?: Readonly<Record<string, string>>
  /** The operator's settings for Claude models; the defaults when absent. */
  readonly claude?: ClaudeOptions
  /** The operator's settings for Gemini models; the defaults when absent. */
  readonly gemini?: GeminiOptions
  /** Requests the usage of a stream even if the client did not. Default: true. */
  readonly forcesUsage?: boolean
  /** Model restrictions that were learned from the channel's errors. */
  readonly lessons?: readonly LessonName[]
  /** For a request with signatures or encrypted reasoning. */
  readonly seals?: SealRules
  /** Sends the client's body unchanged, except for the model name and the streaming flag. */
  readonly isPassThrough?: boolean
}

export interface SealRules {
  /** Which seals the upstream cannot read; absent where all are sent. */
  readonly isRemoved?: SealTest | undefined
}

/** An attempt with the traits of its model. */
export interface AttemptWithTraits extends AttemptInput {
  readonly traits: ModelTraits
  /** The part of the traits that was learned from errors. */
  readonly learned: ModelTraits
}
