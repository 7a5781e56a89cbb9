import { Problem } from '@tollgate/problems/problem'
import type { App } from '../../app.ts'
import type { Failed } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import { verdictOfThrown } from './verdict.ts'

/** Logs a bug of the gateway. The caller gets an error without details. */
export function failedByBug({ call }: Pick<Held, 'call'>, bug: unknown, { log }: Pick<App, 'log'>): Failed {
  if (!(bug instanceof Problem))
    log.error({ error: bug, requestId: call.id }, 'a call failed because of a bug')
  return { type: 'failed', failure: verdictOfThrown(bug) }
}
