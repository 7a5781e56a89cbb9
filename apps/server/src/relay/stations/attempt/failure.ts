import type { UpstreamError } from '@tollgate/dialects/dialect'
import type { Fault, Problem } from '@tollgate/problems/problem'

/**
 * Why an attempt produced nothing usable for the caller, and what follows from it. A value and not an
 * exception, because upstream failures are normal.
 */
export interface AttemptFailure {
  readonly blame: Fault
  /** Snake-case code for the receipt's list of attempts. */
  readonly code: string
  /**
   * The status after status mapping. The caller gets it when no other attempt follows, unless `answer` has a
   * status of its own.
   */
  readonly status: number
  readonly answer: FailureAnswer
  readonly isRetryable: boolean
  /** What the failure says about the channel's key. */
  readonly evidence: Evidence
  /** The upstream's own message, before anything was hidden. Only for the operator. */
  readonly detail: string
  /** The upstream's error body, where it responded with an error status. */
  readonly vendorError?: UpstreamError
  /** The upstream accepted the request and will bill it. */
  readonly isBilled?: true
  /** How long the upstream asks to wait. */
  readonly retryAfterMs: number | undefined
}

/** The error for the caller: a Problem of the gateway, or the upstream's error in the caller's dialect. */
export type FailureAnswer =
  | { readonly type: 'problem'; readonly problem: Problem }
  | { readonly type: 'upstream'; readonly error: UpstreamError; readonly status?: number }

/**
 * `certain`: the key is refused. `likely`: counts only if it is repeated, because a caller's text can provoke
 * it.
 */
export type Evidence = 'none' | 'likely' | 'certain'
