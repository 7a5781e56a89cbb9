import { invariant } from '@tollgate/kit/invariant'
import type { AccountState } from './state.ts'

/**
 * Arithmetic of one account. Every function keeps the invariants of an account: granted + debt = remaining +
 * reserved + used (I1), no part is negative, and there is no debt while quota remains (I2).
 */

/** Without the free part of allotments, see {@link import('./account-use.ts').shownBalance}. */
export function netBalance(account: AccountState): bigint {
  return account.remaining - account.debt
}

export function canCover(account: AccountState, amount: bigint): boolean {
  return account.isUnlimited || account.remaining >= amount
}

/** Moves `amount` from remaining to reserved. */
export function reserveQuota(account: AccountState, amount: bigint): AccountState {
  invariant(account.remaining >= amount, 'only what remains can be set aside')
  return { ...account, remaining: account.remaining - amount, reserved: account.reserved + amount }
}

/**
 * Reserves `amount` on an unlimited token: `remaining` does not change, `granted` grows instead (the grant
 * follows).
 */
export function reserveFollowed(account: AccountState, amount: bigint): AccountState {
  return follow({ ...account, reserved: account.reserved + amount }, amount)
}

/**
 * Ends an ordinary hold. A charge above the held amount takes from the remaining quota first and then becomes
 * debt.
 */
export function endHold(account: AccountState, { held, charge }: HoldEnd): AccountState {
  const ended = { ...account, reserved: account.reserved - held, used: account.used + charge }
  return charge <= held ? receive(ended, held - charge) : take(ended, charge - held)
}

/** Ends a followed hold, that is, one on an unlimited token. */
export function endFollowedHold(account: AccountState, { held, charge }: HoldEnd): AccountState {
  const ended = { ...account, reserved: account.reserved - held, used: account.used + charge }
  return follow(ended, charge - held)
}

export interface HoldEnd {
  readonly held: bigint
  readonly charge: bigint
}

/** Turns an ordinary hold into a followed one, after its token was made unlimited. */
export function startFollowing(account: AccountState, held: bigint): AccountState {
  return receive(follow(account, held), held)
}

/** Charges (positive) or refunds (negative) a difference when no hold is open any more. */
export function correct(account: AccountState, difference: bigint): AccountState {
  const corrected = { ...account, used: account.used + difference }
  if (account.isUnlimited) return follow(corrected, difference)
  return difference >= 0n ? take(corrected, difference) : receive(corrected, -difference)
}

/** Changes the granted quota by a signed difference. A reduction beyond the remaining quota becomes debt. */
export function grant(account: AccountState, difference: bigint): AccountState {
  const granted = { ...account, granted: account.granted + difference }
  return difference >= 0n ? receive(granted, difference) : take(granted, -difference)
}

/** Moves `amount` from reserved back to remaining; pays debt first. */
export function returnQuota(account: AccountState, amount: bigint): AccountState {
  return receive({ ...account, reserved: account.reserved - amount }, amount)
}

/** Adds quota; pays debt first. */
function receive(account: AccountState, amount: bigint): AccountState {
  const paid = amount < account.debt ? amount : account.debt
  return { ...account, debt: account.debt - paid, remaining: account.remaining + amount - paid }
}

function take(account: AccountState, amount: bigint): AccountState {
  const covered = amount < account.remaining ? amount : account.remaining
  return { ...account, remaining: account.remaining - covered, debt: account.debt + amount - covered }
}

function follow(account: AccountState, difference: bigint): AccountState {
  return { ...account, granted: account.granted + difference, followed: account.followed + difference }
}

export function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}
