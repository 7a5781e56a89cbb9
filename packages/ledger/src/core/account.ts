import { invariant } from '@tollgate/kit/invariant'
import type { AccountState } from './state.ts'

/** The arithmetic of one account. Every function keeps I1, granted + debt = remaining + reserved + used, and I2. */

/** What a caller sees as quota. */
export function netBalance(account: AccountState): bigint {
  return account.remaining - account.debt
}

export function canCover(account: AccountState, amount: bigint): boolean {
  return account.isUnlimited || account.remaining >= amount
}

/** Moves `amount` from what remains into what is reserved. */
export function setAside(account: AccountState, amount: bigint): AccountState {
  invariant(account.remaining >= amount, 'only what remains can be set aside')
  return { ...account, remaining: account.remaining - amount, reserved: account.reserved + amount }
}

/** Reserves `amount` on an unlimited token: nothing is taken, the grant follows. */
export function setAsideFollowed(account: AccountState, amount: bigint): AccountState {
  return follow({ ...account, reserved: account.reserved + amount }, amount)
}

/** Ends a hold that was set aside. A charge above it takes what remains and then becomes debt. */
export function endHold(account: AccountState, { held, charge }: HoldEnd): AccountState {
  const ended = { ...account, reserved: account.reserved - held, used: account.used + charge }
  return charge <= held ? receive(ended, held - charge) : take(ended, charge - held)
}

/** Ends a hold that was followed. */
export function endFollowedHold(account: AccountState, { held, charge }: HoldEnd): AccountState {
  const ended = { ...account, reserved: account.reserved - held, used: account.used + charge }
  return follow(ended, charge - held)
}

export interface HoldEnd {
  readonly held: bigint
  readonly charge: bigint
}

/** Turns a hold that was set aside into a followed one, after its token has become unlimited. */
export function startFollowing(account: AccountState, held: bigint): AccountState {
  return receive(follow(account, held), held)
}

/** Charges or gives back a signed difference when no hold is open any more. */
export function correct(account: AccountState, difference: bigint): AccountState {
  const corrected = { ...account, used: account.used + difference }
  if (account.isUnlimited) return follow(corrected, difference)
  return difference >= 0n ? take(corrected, difference) : receive(corrected, -difference)
}

/** Changes what was granted; a part that no longer remains becomes debt. */
export function grant(account: AccountState, difference: bigint): AccountState {
  const granted = { ...account, granted: account.granted + difference }
  return difference >= 0n ? receive(granted, difference) : take(granted, -difference)
}

/** First pays debt. */
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
