import type { AccountId } from '../account.ts'
import { isUserAccount } from './account-kind.ts'

/**
 * Decides which grants count as paid. Gift codes, check-ins, rewards for registering or inviting, rebates and
 * reward transfers do not, since anyone can collect them on any number of accounts. Migration 17 derives the
 * same from older entries.
 */

/** Keys of paid credits: online top-ups and one-use codes. */
const PAID_KEY = /^(?:topup|redeem):/

export function isPayment({ key, account, amount }: Grant): boolean {
  return isUserAccount(account) && amount > 0n && PAID_KEY.test(key)
}

/** An operator who adds quota manually vouches for the account, so it counts as paid. */
export function isVouchedFor({ account, delta }: { account: AccountId; delta: bigint }): boolean {
  return isUserAccount(account) && delta > 0n
}

interface Grant {
  readonly key: string
  readonly account: AccountId
  readonly amount: bigint
}
