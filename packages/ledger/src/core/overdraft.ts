import type { ReserveInput } from '../inputs.ts'
import type { ReserveRefusal } from '../results.ts'
import { canCover } from './account.ts'
import { type AccountUse, callsInFlight, exposureInFlight } from './account-use.ts'
import type { HoldState } from './state.ts'

/** The overdraft rule: limits how much a user's calls in flight may cost beyond their holds. */

type Asked = Pick<ReserveInput, 'amount' | 'ceiling' | 'overdraft'>

/** The reason why the user's balance does not admit one more call, or `undefined`. */
export function refusedByBalance(user: AccountUse, asked: Asked): ReserveRefusal | undefined {
  const { remaining } = user.account
  const isAlone = callsInFlight(user) === 0
  const known = asked.overdraft && { isAlone }
  if (!canCover(user.account, asked.amount)) return { type: 'refused', by: 'user', remaining, ...known }
  if (isWithinRule(user, asked) || (isAlone && asked.overdraft?.admitsAlone)) return undefined
  return { type: 'refused', by: 'overdraft', remaining, isAlone }
}

/** Free calls are always within the rule. */
function isWithinRule(user: AccountUse, { amount, ceiling, overdraft }: Asked): boolean {
  if (overdraft === undefined || ceiling === 0n) return true
  const exposed = exposureInFlight(user) + ceiling - amount
  return exposed <= overdraft.factor * (user.account.remaining - amount)
}

/** How much a call may cost beyond its hold. */
export function exposureOf({ ceiling, amount }: Pick<HoldState, 'ceiling' | 'amount'>): bigint {
  return ceiling - amount
}
