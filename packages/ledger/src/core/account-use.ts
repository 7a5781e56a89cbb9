import type { AccountId } from '../account.ts'
import { netBalance } from './account.ts'
import type { BatchState } from './batch-state.ts'
import type { AccountState, AllotmentState } from './state.ts'

/** An account together with the allotments of all processes on it. */
export interface AccountUse {
  readonly account: AccountState
  readonly allotments: readonly AllotmentState[]
}

export function useOf(draft: BatchState, id: AccountId): AccountUse {
  return { account: draft.account(id), allotments: draft.allotments(id) }
}

/** The balance that a caller sees: quota that is allotted to a process and free there can still be spent. */
export function shownBalance({ account, allotments }: AccountUse): bigint {
  return netBalance(account) + sumOf(allotments, 'free')
}

/** Calls in flight of all processes. */
export function callsInFlight({ account, allotments }: AccountUse): number {
  return allotments.reduce((sum, { openHolds }) => sum + openHolds, account.openHolds)
}

/** Users only: how much the calls in flight of all processes may cost beyond what they hold. */
export function exposureInFlight({ account, allotments }: AccountUse): bigint {
  return account.exposed + sumOf(allotments, 'exposed')
}

/** The part of `reserved` that belongs to holds of single calls. */
export function heldDurably({ account, allotments }: AccountUse): bigint {
  return account.reserved - sumOf(allotments, 'amount')
}

export function sumOf(
  allotments: readonly AllotmentState[],
  part: 'amount' | 'free' | 'exposed' | 'budgetAmount',
): bigint {
  return allotments.reduce((sum, allotment) => sum + allotment[part], 0n)
}
