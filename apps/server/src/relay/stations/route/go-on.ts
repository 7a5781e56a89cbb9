import type { App } from '../../app.ts'
import { triesIn } from '../../call.ts'
import type { Failed, Outcome } from '../../outcome.ts'
import { verdictOfProblem } from '../attempt/verdict.ts'
import type { Held } from '../hold/held.ts'

/** Whether a call goes on after an attempt: on another channel, in another group, or not at all. */

type Clocked = Pick<App, 'now' | 'limits'>

/** Whether another channel of the group may be tried. */
export function mayTryAgain(held: Held, outcome: Outcome, app: Clocked): boolean {
  return mayGoOn(held, outcome, app) && triesIn(held.call, held.group) <= held.settings.retryTimes
}

/**
 * The same call in the next group that may serve it, after this group has failed; `undefined` when none is
 * left. The log row of the call then names the new group.
 */
export function nextGroup(held: Held, outcome: Outcome | undefined, app: Clocked): Held | undefined {
  const { call, next } = held
  if (outcome !== undefined && !mayGoOn(held, outcome, app)) return undefined
  if (next !== undefined && call.asked !== undefined) call.asked = { ...call.asked, group: next.group }
  return next
}

/** The outcome when no channel was available for the first attempt. */
export function noChannel({ ask, group }: Held): Failed {
  const parameters = { model: ask.model, group }
  return { type: 'failed', failure: verdictOfProblem('no_channel', { parameters }) }
}

/**
 * Never after a byte of a response has been sent, not when the caller has left or pinned the channel, and not
 * after the retry time.
 */
function mayGoOn({ call, caller }: Held, outcome: Outcome, { now, limits }: Clocked): boolean {
  if (outcome.type === 'delivered' || !outcome.failure.isRetryable) return false
  return !call.isGone && caller.pinned === undefined && call.startedAt >= now() - limits.retryMs
}
