import { countInputExactly } from '@tollgate/dialects/tokens/exact'
import type { Outcome } from '../outcome.ts'
import type { Held } from '../hold/held.ts'

/**
 * A whole answer whose upstream told no usage at all is charged by our own count of its input, so that count is made
 * with the model's vocabulary. The quick estimate of admission stands in for it when that cannot be had.
 */
export function recounted(held: Held, exit: Outcome): Held | Promise<Held> {
  const isTold = exit.type === 'failed' || exit.ending !== 'complete' || exit.reading.usage !== undefined
  // A large body was counted beside the event loop; an exact count would look at its first part alone.
  return isTold || held.ask.counted !== undefined ? held : recount(held)
}

async function recount(held: Held): Promise<Held> {
  const estimate = held.bounds.inputTokensCounted
  const inputTokensCounted = await countInputExactly(held.operation, held.ask).catch(() => estimate)
  return { ...held, bounds: { ...held.bounds, inputTokensCounted } }
}
