import type { App } from '../../app.ts'
import type { Call } from '../../call.ts'
import type { CallLimits } from './rates.ts'
import type { Caller } from './caller.ts'

type CountApp = Pick<App, 'rates' | 'tokenRates'>

interface ToCount {
  readonly call: Call
  readonly caller: Caller
  readonly limits: CallLimits | undefined
}

/**
 * Counts a call for its token and, within the operator's window, for its owner; called at the start of every
 * operation. Rejects with the Problem that says when there is room again. `undefined` where no limit applies.
 */
export function countCall(toCount: ToCount, app: CountApp): Promise<void> | undefined {
  const isLimited = toCount.caller.token?.limits?.callsPerMinute !== undefined
  return isLimited || toCount.limits !== undefined ? count(toCount, app) : undefined
}

async function count({ call, caller, limits }: ToCount, { rates, tokenRates }: CountApp): Promise<void> {
  if (caller.token !== undefined) await tokenRates.countCall(caller.token)
  if (limits !== undefined) call.counted = await rates.count(caller.owner.id, limits)
}
