import type { App } from '../../app.ts'
import type { Call } from '../../call.ts'
import type { CallLimits } from './rates.ts'
import type { Caller } from './caller.ts'

/**
 * Counts a call for its token and, within the operator's window, for its owner; called at the start of every
 * operation. Throws the Problem that says when there is room again.
 */
export async function countCall(
  { call, caller, limits }: { call: Call; caller: Caller; limits: CallLimits | undefined },
  { rates, tokenRates }: Pick<App, 'rates' | 'tokenRates'>,
): Promise<void> {
  if (caller.token !== undefined) await tokenRates.countCall(caller.token)
  if (limits !== undefined) call.counted = await rates.count(caller.owner.id, limits)
}
