import type { ProblemCode } from '@tollgate/problems/problem'
import type { AttemptFailure } from './failure.ts'
import { verdictOfProblem } from './verdict.ts'

/** Why a response stopped before its end: a network error, or one of the gateway's limits. */
export type BreakReason =
  | { readonly type: 'network'; readonly error: Error }
  | { readonly type: 'too-large'; readonly limit: number }
  | { readonly type: LimitReached }

/**
 * `drained`: the caller hung up, and the time for reading the rest is over. `stopped`: the gateway is
 * shutting down.
 */
export type LimitReached = 'first-byte-timeout' | 'idle' | 'too-long' | 'drained' | 'stopped'

const codes: Readonly<Record<LimitReached, ProblemCode>> = {
  'first-byte-timeout': 'first_byte_timeout',
  idle: 'stream_idle',
  'too-long': 'stream_idle',
  drained: 'first_byte_timeout',
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
  const isRetryable = reason.type !== 'drained' && reason.type !== 'stopped'
  return verdictOfProblem(codes[reason.type], { detail: reason.type, isRetryable })
}

/** Detail for the operator: the code of the error, never its message, which contains host names. */
function networkDetail(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
