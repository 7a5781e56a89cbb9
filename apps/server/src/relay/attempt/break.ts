import type { ProblemCode } from '@tollgate/kit/problem'
import type { Failure } from './failure.ts'
import { verdictOfProblem } from './verdict.ts'

/** Why an answer stopped before its end: the network, or a limit of ours. */
export type BreakReason =
  | { readonly type: 'network'; readonly error: Error }
  | { readonly type: 'too-large'; readonly limit: number }
  | { readonly type: LimitReached }

/** `drained`: the caller had left, and the time for reading on is over. `stopped`: the gateway stops. */
export type LimitReached = 'first-byte-timeout' | 'idle' | 'too-long' | 'drained' | 'stopped'

const codes: Readonly<Record<LimitReached, ProblemCode>> = {
  'first-byte-timeout': 'first_byte_timeout',
  idle: 'stream_idle',
  'too-long': 'stream_idle',
  drained: 'first_byte_timeout',
  stopped: 'gateway_stopping',
}

/** The verdict when nothing usable came before. */
export function verdictOfBreak(reason: BreakReason): Failure {
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

/** A word for the operator: the code of the error, never its text, which names hosts. */
function networkDetail(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
