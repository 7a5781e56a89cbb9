import type { App } from '../../app.ts'
import type { Outcome } from '../../outcome.ts'
import { noteThread } from '../../affinity/kept-threads.ts'
import { noteSession } from '../../sessions/note-session.ts'
import type { Held } from '../hold/held.ts'

/**
 * Records how a call ended beside its log row, which is written with the settlement: whether it counts as a
 * success of its user, its texts where the operator keeps them, and the session of its response. Never blocks, never throws.
 */
export function record(
  held: Held,
  outcome: Outcome,
  app: Pick<App, 'transcripts' | 'sessions' | 'keptThreads'>,
): void {
  if (outcome.type === 'failed' || outcome.ending === 'broken') held.call.counted?.failed()
  if (outcome.type === 'failed') return
  app.transcripts.note(held, outcome)
  noteSession(held, outcome, app.sessions)
  noteThread(held, outcome, app.keptThreads)
}
