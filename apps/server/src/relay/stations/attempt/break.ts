import type { ProblemCode } from '@tollgate/problems/problem'
import { toStreamEnd, type Outcome, type Route } from '../../outcome.ts'
import type { AttemptFailure } from './failure.ts'
import { verdictOfProblem } from './verdict.ts'

/** Why a response stopped before its end: a network error, or one of the gateway's limits. */
export type BreakReason =
  | { readonly type: 'network'; readonly error: Error }
  | { readonly type: 'too-large'; readonly limit: number }
  | NoRoom
  | { readonly type: LimitReached }

/** There was no room for the response in time; `isOwn`: other responses to the same user fill theirs. */
export interface NoRoom {
  readonly type: 'no-room'
  readonly isOwn: boolean
}

/** A caller who is refused for want of room may try again after this time. */
const ROOM_SECONDS = 5

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
  // Another channel would be paid as well, and there would be no room for its response either.
  if (reason.type === 'no-room') {
    const parameters = { seconds: ROOM_SECONDS }
    const failure = verdictOfProblem('answer_room_full', { parameters, isRetryable: false })
    return { ...failure, retryAfterMs: ROOM_SECONDS * 1000, isBilled: true }
  }
  const isRetryable = toStreamEnd(reason) === 'broken' || reason.type === 'too-long'
  return verdictOfProblem(codes[reason.type], { detail: reason.type, isRetryable })
}

/**
 * The end of a response of which the caller has got nothing. It is free, unless other responses to the same user left
 * no room for it: then it is charged as a call that was accepted and cut.
 */
export function endUnsent(reason: BreakReason, route: Route): Outcome {
  const failure = verdictOfBreak(reason)
  if (reason.type !== 'no-room' || !reason.isOwn) return { type: 'failed', failure }
  const reading = {
    usage: undefined,
    finish: undefined,
    outputTokensCounted: 0,
    hasOutput: false,
    isComplete: false,
    error: undefined,
  }
  return { ...route, type: 'delivered', ending: 'displaced', reading, rest: { type: 'failure', failure } }
}

/** Detail for the operator: the code of the error, never its message, which contains host names. */
function networkDetail(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
