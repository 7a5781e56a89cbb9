import type { UpstreamError } from '@tollgate/dialects/dialect'
import type { Fault, Problem } from '@tollgate/kit/problem'

/** Why an attempt brought nothing a caller could use, and what follows from it. A value: upstreams fail every day. */
export interface Failure {
  readonly blame: Fault
  /** Snake-case word for the receipt's trail. */
  readonly code: string
  /** After status mapping. The caller gets it when no other attempt follows, unless the answer has one of its own. */
  readonly status: number
  readonly answer: FailureAnswer
  readonly isRetryable: boolean
  /** What it says about the channel's key. */
  readonly evidence: Evidence
  /** What the upstream itself said, before anything was hidden. For the operator's eyes. */
  readonly detail: string
  /** What it answered with an error status, in its own words. */
  readonly vendorError?: UpstreamError
  /** The upstream asks to wait this long. */
  readonly retryAfterMs: number | undefined
}

/** In the caller's words: a problem of ours, or the upstream's own error in its dialect. */
export type FailureAnswer =
  | { readonly type: 'problem'; readonly problem: Problem }
  | { readonly type: 'upstream'; readonly error: UpstreamError; readonly status?: number }

/** `certain`: the key is refused. `likely`: only if it comes again, because a caller's text can provoke it. */
export type Evidence = 'none' | 'likely' | 'certain'
