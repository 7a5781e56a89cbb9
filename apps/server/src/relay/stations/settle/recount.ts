import { countInputExactly } from '@tollgate/dialects/tokens/exact'
import type { Outcome } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'

/**
 * If an upstream reported no usage for a complete response, the gateway's count of the input is charged, so
 * it is made again with the model's tokenizer. The estimate from admission is used when that fails.
 */
export function recounted(held: Held, exit: Outcome): Held | Promise<Held> {
  const isTold = exit.type === 'failed' || exit.ending !== 'complete' || exit.reading.usage !== undefined
  // A large body was already counted in a worker thread; the exact count would cover only its first part.
  return isTold || held.ask.counted !== undefined ? held : recount(held)
}

async function recount(held: Held): Promise<Held> {
  const estimate = held.bounds.inputTokensCounted
  const inputTokensCounted = await countInputExactly(held.operation.wire, held.ask).catch(() => estimate)
  return { ...held, bounds: { ...held.bounds, inputTokensCounted } }
}
