import { Problem } from '@tollgate/problems/problem'
import type { App } from '../../app.ts'
import type { Failed, Outcome } from '../../outcome.ts'
import { verdictOfThrown } from '../attempt/verdict.ts'
import type { Held } from '../hold/held.ts'
import { refuseWithFailure } from './refuse.ts'

/** Sends the error of the last attempt to the caller, if no attempt delivered a response. */
export function deliver({ call }: Held, outcome: Outcome): void {
  if (outcome.type === 'failed') refuseWithFailure(call, outcome.failure)
}

/** Logs a bug of the gateway, sends it as an error without details, and returns it as a failed outcome. */
export function deliverBug({ call }: Held, bug: unknown, { log }: Pick<App, 'log'>): Failed {
  if (!(bug instanceof Problem))
    log.error({ error: bug, requestId: call.id }, 'a call failed because of a bug')
  const failure = verdictOfThrown(bug)
  refuseWithFailure(call, failure)
  return { type: 'failed', failure }
}
