import type { JudgedNames } from './checked/findings.ts'
import type { Form } from './media/form.ts'
import type { InputCount } from './tokens/input-visitor.ts'
import type { Member } from './json-scan.ts'
import type { Usage } from './usage.ts'

/** A caller's request, read once. Unknown fields stay in `body` and in `bytes`. */
export interface Ask {
  readonly model: string
  readonly isStream: boolean
  /** The caller's `stream_options.include_usage`. */
  readonly wantsUsage: boolean | undefined
  /** Largest output that one choice may have; `undefined` if the caller set no limit. */
  readonly outputTokensMax: number | undefined
  /**
   * Largest number of answers that the upstream may write for this call: `n`, `best_of` and the number of
   * prompts multiplied; at least 1.
   */
  readonly choices: number
  readonly body: Readonly<Record<string, unknown>>
  /** As received. */
  readonly bytes: Buffer
  /** Positions of the top-level members in `bytes`, so that an edit needs no second scan. */
  readonly members: readonly Member[]
  /** Set if the body is a form instead of JSON; its text fields are the members of `body`. */
  readonly form?: Form
  /** Input size, if it was counted while the body was read. */
  readonly counted?: InputCount
  /** Set where the body had members that are not simply passed on. */
  readonly names?: JudgedNames
  /** Set for a large body whose parsed form is dropped between attempts. */
  readonly tree?: DroppableBody
}

/** The parsed form of a large body. The bytes are kept, so that it can be parsed again. */
export interface DroppableBody {
  /** Whether parsing is so slow that it would block the event loop. */
  readonly isLarge: boolean
  /** Short members, such as `response_format: "text"`, which are never dropped. */
  readonly short: Readonly<Record<string, unknown>>
  /** Call before `body` is read: parses a dropped body again without blocking the event loop. */
  load(): Promise<void>
  /** Drops the parsed body; call it when `body` will not be read for a while. */
  drop(): void
}

/**
 * Facts read so far from a response, whole or streamed. They can be read at any moment, and reading never
 * changes what is forwarded.
 */
export interface Reading {
  /** The last non-empty usage, normalised. */
  readonly usage: Usage | undefined
  /** Evidence of paid tools that is not in `usage`, by the names of `FeeRow.evidence`. */
  readonly paidUses?: Usage['toolCalls']
  readonly finish: Finish | undefined
  /** Output tokens counted locally while bytes pass; an estimate. */
  readonly outputTokensCounted: number
  /** Whether something that a caller could use was delivered: text, reasoning, a tool call, data. */
  readonly hasOutput: boolean
  /** Whether the end marker of the dialect was seen. */
  readonly isComplete: boolean
  /** The upstream's id of the response, where it is known; what a caller of another dialect gets is made of it. */
  readonly replyId?: string | undefined
  /** The model that served the response, as the upstream named it. */
  readonly model?: string | undefined
  /** Whether part of `usage` was counted locally. */
  readonly isEstimated?: boolean
  /** An error object inside a response or stream with status 200. */
  readonly error: UpstreamError | undefined
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other'

export interface Finish {
  readonly reason: FinishReason
  readonly raw: string
}

/**
 * Reads usage from a whole response or a stream chunk; `undefined` if it contains none, or an implausible
 * one.
 */
export type UsageReader = (answer: Readonly<Record<string, unknown>>) => Usage | undefined

/**
 * An error read from an upstream response; `raw` is the `error` object of the body, if the body had one in
 * the dialect's format.
 */
export interface UpstreamError {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly code: string
  readonly param: string | null
  readonly raw: Readonly<Record<string, unknown>> | undefined
  /** Further members of the `error` object, in the caller's dialect. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
}
