import type { App } from '../../app.ts'
import { readOutcomeCause } from '../../failure-log.ts'
import type { Outcome } from '../../outcome.ts'
import { noteThread } from '../../affinity/kept-threads.ts'
import { noteSession } from '../../sessions/note-session.ts'
import type { Held } from '../hold/held.ts'

/**
 * Records how a call ended beside its log row, which is written with the settlement: whether it counts as a
 * success of its user, its texts where the operator keeps them, the session of its response, and a line in the
 * process log if it failed. Never blocks, never throws.
 */
export function record(
  held: Held,
  outcome: Outcome,
  app: Pick<App, 'transcripts' | 'sessions' | 'keptThreads' | 'failureLog'>,
): void {
  const cause = readOutcomeCause(outcome)
  if (cause !== undefined) app.failureLog.callFailed(held.call, cause)
  if (outcome.type === 'failed' || outcome.ending === 'broken') held.call.counted?.failed()
  if (outcome.type === 'failed') return
  app.transcripts.note(held, outcome)
  noteSession(held, outcome, app.sessions)
  noteThread(held, outcome, app.keptThreads)
}
