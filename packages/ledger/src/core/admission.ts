import type { ReserveInput } from '../inputs.ts'
import { canCover } from './account.ts'
import { useOf } from './account-use.ts'
import type { BatchState } from './batch-state.ts'
import type { CommandContext, Refusal } from './command.ts'
import { refusedByBalance } from './overdraft.ts'
import { withElsewhere } from './scarcity.ts'
import { inPeriod, refusedByLimits } from './token-limits.ts'

/** The part of a call that decides about its admission, whoever is to hold its quota. */
export type AskedCall = Pick<
  ReserveInput,
  'userAccount' | 'tokenAccount' | 'amount' | 'ceiling' | 'limits' | 'overdraft'
>

/** The reason why the call is not admitted, or `undefined`. A want of the user's quota is named first. */
export function refuse(draft: BatchState, call: AskedCall, context: CommandContext): Refusal | undefined {
  const refusal = refusalOf(draft, call)
  return refusal && withElsewhere(draft, refusal, { call, context })
}

function refusalOf(draft: BatchState, asked: AskedCall): Refusal | undefined {
  const ofUser = refusedByBalance(useOf(draft, asked.userAccount), asked)
  return ofUser?.by === 'user' ? ofUser : (refusedByToken(draft, asked) ?? ofUser)
}

function refusedByToken(draft: BatchState, { tokenAccount, amount, limits }: AskedCall): Refusal | undefined {
  if (tokenAccount === undefined) return undefined
  const token = useOf(draft, tokenAccount)
  const { remaining } = token.account
  if (!canCover(token.account, amount)) return { type: 'refused', by: 'token', remaining }
  return limits && refusedByLimits(token, amount, limits)
}

/**
 * Starts the budget period of the token before the call is added, because the call counts in the new period.
 */
export function beginPeriod(draft: BatchState, { tokenAccount, limits }: AskedCall): void {
  if (tokenAccount === undefined || limits?.budget === undefined) return
  const token = draft.account(tokenAccount)
  const begun = inPeriod(token, limits.budget)
  if (begun !== token) draft.putAccount(begun)
}
