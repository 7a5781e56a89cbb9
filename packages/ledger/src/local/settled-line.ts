import { invariant } from '@tollgate/kit/invariant'
import type { SettleInput } from '../inputs.ts'
import type { SettledLine } from '../journal/line.ts'
import type { LocalCall } from './local-call.ts'

/** The line with which a call ends; charges at most its ceiling. */
export function settledLine(call: LocalCall, input: SettleInput, endedMs: number): SettledLine {
  const { holdId, user, token, isTokenFollowed, budgetSinceMs, ceiling } = call
  const { amount, flags, usageJson, log } = input
  invariant(amount >= 0n, 'a charge is never negative')
  const charged = amount < ceiling ? amount : ceiling
  const waived = amount - charged
  return {
    type: 'settled',
    holdId,
    userAccount: user.id,
    tokenAccount: token?.id,
    isTokenFollowed,
    budgetSinceMs,
    charged,
    waived,
    ceiling,
    flags: waived > 0n ? [...flags, 'waived'] : flags,
    channelId: input.channelId ?? call.channelId,
    priceJson: input.priceJson ?? call.priceJson,
    usageJson,
    endedMs,
    log,
    partPrices: input.partPrices,
  }
}
