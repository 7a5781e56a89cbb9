import type { Outcome } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import type { Settled } from '../settle/settle.ts'
import { reportCost } from './cost-report.ts'
import { abortConnection, abortStream, endBytes, endStream, writeWhole } from './outlet.ts'
import { refuseWithFailure } from './refuse.ts'

/**
 * Sends the caller the rest of the response, or the error of the last attempt. `settled` is absent if the
 * settlement is not confirmed yet.
 */
export function deliver(
  held: Pick<Held, 'call' | 'price' | 'settings'>,
  outcome: Outcome,
  settled?: Settled,
): void {
  const { call } = held
  const rest = reportCost(held, settled, outcome.type === 'failed' ? undefined : outcome.rest)
  if (outcome.type === 'failed') return refuseWithFailure(call, outcome.failure)
  if (rest?.type === 'whole') writeWhole(call, rest.answer)
  else if (rest?.type === 'frames') endStream(call, rest.frames)
  else if (rest?.type === 'error') abortStream(call, rest.frames)
  else if (rest?.type === 'bytes') endBytes(call, rest.bytes)
  else if (rest?.type === 'abort') abortConnection(call)
  else if (rest?.type === 'failure') refuseWithFailure(call, rest.failure)
}
