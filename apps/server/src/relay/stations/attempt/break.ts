import type { ProblemCode } from '@tollgate/problems/problem'
import { toStreamEnd } from '../../outcome.ts'
import type { AttemptFailure } from './failure.ts'
import { verdictOfProblem } from './verdict.ts'

/** Why a response stopped before its end: a network error, or one of the gateway's limits. */
export type BreakReason =
  | { readonly type: 'network'; readonly error: Error }
  | { readonly type: 'too-large'; readonly limit: number }
  | { readonly type: LimitReached }

/**
 * `left-unsent`: the caller hung up before the request was sent whole. `displaced`: the caller hung up, and then
 * too many later callers did. `stopped`: the gateway is shutting down.
 */
export type LimitReached =
  | 'first-byte-timeout'
  | 'idle'
  | 'too-long'
  | 'left-unsent'
  | 'displaced'
  | 'stopped'

const codes: Readonly<Record<LimitReached, ProblemCode>> = {
  'first-byte-timeout': 'first_byte_timeout',
  idle: 'stream_idle',
  'too-long': 'stream_idle',
  'left-unsent': 'first_byte_timeout',
  displaced: 'first_byte_timeout',
  stopped: 'gateway_stopping',
}

/** The failure of an attempt that broke before anything usable arrived. */
export function verdictOfBreak(reason: BreakReason): AttemptFailure {
  if (reason.type === 'network') {
    return verdictOfProblem('do_request_failed', { detail: networkDetail(reason.error) })
  }
  if (reason.type === 'too-large') {
    const parameters = { limit: reason.limit }
    return verdictOfProblem('answer_too_large', { parameters, isRetryable: false })
  }
  const isRetryable = toStreamEnd(reason) === 'broken' || reason.type === 'too-long'
  return verdictOfProblem(codes[reason.type], { detail: reason.type, isRetryable })
}

/** Detail for the operator: the code of the error, never its message, which contains host names. */
function networkDetail(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
