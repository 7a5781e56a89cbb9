import type { App } from '../../app.ts'
import type { Failed, Outcome } from '../../outcome.ts'
import { verdictOfProblem } from '../attempt/verdict.ts'
import type { Held } from '../hold/held.ts'

/** The outcome when no channel was available for the first attempt. */
export function noChannel({ ask, group }: Held): Failed {
  const parameters = { model: ask.model, group }
  return { type: 'failed', failure: verdictOfProblem('no_channel', { parameters }) }
}

/**
 * Whether another attempt may follow this one: never after a byte of a response has been sent, not when the
 * caller has left, not after the retry time, and not after the channel of a session that is to stay there.
 */
export function mayGoOn(
  { call, affinity, group }: Held,
  outcome: Outcome,
  { now, limits }: Pick<App, 'now' | 'limits'>,
): boolean {
  if (outcome.type === 'delivered' || !outcome.failure.isRetryable) return false
  const isBound = call.trail.at(-1)?.channelId === affinity?.bindings.get(group)?.channelId
  if (affinity?.staysOnFailure === true && isBound) return false
  return !call.isGone && call.startedAt >= now() - limits.retryMs
}
