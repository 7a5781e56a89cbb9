import type { ReserveInput } from '../inputs.ts'
import type { LocalAccount } from './local-account.ts'

interface Coverage {
  readonly user: LocalAccount
  readonly token: LocalAccount | undefined
  /** Only a lone process knows how many calls of a token are in flight. */
  readonly isAlone: boolean
  readonly nowMs: () => number
}

/** Whether the allotments of this process cover the call, so that it need not ask the ledger. */
export function coversCall(
  { amount, ceiling, limits, overdraft }: ReserveInput,
  { user, token, isAlone, nowMs }: Coverage,
): boolean {
  if (user.scarceUntilMs !== 0 && user.isScarce(nowMs())) return false
  if (!user.covers(amount)) return false
  if (overdraft !== undefined && ceiling > 0n) {
    const exposed = user.exposed + user.exposedElsewhere + ceiling - amount
    if (exposed > overdraft.factor * (user.free - amount)) return false
  }
  if (token === undefined) return true
  if (token.scarceUntilMs !== 0 && token.isScarce(nowMs())) return false
  if (!token.covers(amount)) return false
  if (limits === undefined) return true
  if (limits.budget && !token.coversBudget(amount, limits.budget)) return false
  const { parallelCalls } = limits
  return (
    parallelCalls === undefined || (isAlone && token.openHolds + token.openHoldsElsewhere < parallelCalls)
  )
}
