import type { Form } from './media/form.ts'
import type { InputCount } from './tokens/input-visitor.ts'
import type { Member } from './json-scan.ts'
import type { Usage } from './usage.ts'

/** A caller's request, read once. Unknown fields stay in `body` and in `bytes`. */
export interface Ask {
  readonly model: string
  readonly isStream: boolean
  /** What the caller said of `stream_options.include_usage`. */
  readonly wantsUsage: boolean | undefined
  /** Largest output one choice may have; `undefined` when not told. */
  readonly outputTokensMax: number | undefined
  /** Largest number of answers the upstream may write for this call: `n`, `best_of` and prompts multiplied; at least 1. */
  readonly choices: number
  readonly body: Readonly<Record<string, unknown>>
  /** As received. */
  readonly bytes: Buffer
  /** Where the top-level members stand in `bytes`, so that an edit needs no second scan. */
  readonly members: readonly Member[]
  /** A body that is a form and no JSON; its texts are the members of `body`. */
  readonly form?: Form
  /** What its input costs, where that was counted when it was read. */
  readonly counted?: InputCount
  /** Of a large body that lets go of its tree between attempts. */
  readonly tree?: BodyTree
}

/** The parsed members of a large body. Its bytes stay, so that they can be had again. */
export interface BodyTree {
  /** Parsing it takes more time than the event loop has. */
  readonly isLarge: boolean
  /** Members that are short, such as `response_format: "text"`; they stay. */
  readonly short: Readonly<Record<string, unknown>>
  /** `body` is about to be read: parses it again where it was let go of, without holding others up. */
  load(): Promise<void>
  /** Nobody reads `body` for a while. */
  drop(): void
}

/** What an answer, whole or streamed, told us so far. Read at any moment; never changes what was forwarded. */
export interface Reading {
  /** The last non-empty usage seen, normalised. */
  readonly usage: Usage | undefined
  readonly finish: Finish | undefined
  /** Output counted locally, in tokens, as bytes pass; an estimate. */
  readonly outputTokensCounted: number
  /** Something a caller could use was delivered: text, reasoning, a tool call, data. */
  readonly hasOutput: boolean
  /** The end marker of the dialect was seen. */
  readonly isComplete: boolean
  /** Part of `usage` was counted here. */
  readonly isEstimated?: boolean
  /** An error object inside a 200 answer or stream. */
  readonly error: UpstreamError | undefined
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other'

export interface Finish {
  readonly reason: FinishReason
  readonly raw: string
}

/** Reads usage out of a whole answer or a stream chunk; `undefined` when it tells none, or none that can be true. */
export type UsageReader = (answer: Readonly<Record<string, unknown>>) => Usage | undefined

/** An error body read from an upstream; `raw` is its `error` object when it had one in the dialect's shape. */
export interface UpstreamError {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly code: string
  readonly param: string | null
  readonly raw: Readonly<Record<string, unknown>> | undefined
}
