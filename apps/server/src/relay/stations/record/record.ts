import type { App } from '../../app.ts'
import type { Outcome } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'

/**
 * Records how a call ended beside its log row, which is written with the settlement: whether it counts as a
 * success of its user, and its texts where the operator keeps them. Never blocks, never throws.
 */
export function record(held: Held, outcome: Outcome, { transcripts }: Pick<App, 'transcripts'>): void {
  if (outcome.type === 'failed' || outcome.ending === 'broken') held.call.counted?.failed()
  if (outcome.type === 'delivered') transcripts.note(held, outcome)
}
