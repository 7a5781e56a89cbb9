import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  canCover,
  correct,
  endFollowedHold,
  endHold,
  grant,
  netBalance,
  reserveQuota,
  reserveFollowed,
  startFollowing,
} from './account.ts'
import { type AccountState, NO_ACCOUNT } from './state.ts'

const units = fc.bigInt({ min: 0n, max: 10n ** 18n })

/**
 * An arbitrary account that satisfies the account invariants: granted + debt = remaining + reserved + used,
 * no part is negative, and there is no debt while quota remains.
 */
const account = fc
  .record({
    owed: fc.boolean(),
    part: units,
    reserved: units,
    used: units,
    followed: units,
    isUnlimited: fc.boolean(),
  })
  .map(({ owed, part, reserved, used, followed, isUnlimited }): AccountState => {
    const remaining = owed ? 0n : part
    const debt = owed ? part : 0n
    const granted = remaining + reserved + used - debt
    const parts = { granted, remaining, reserved, used, debt, followed, isUnlimited }
    return { ...NO_ACCOUNT, id: 5, ...parts, version: 1 }
  })

function expectSound(state: AccountState): void {
  expect(state.granted + state.debt).toBe(state.remaining + state.reserved + state.used)
  expect(state.remaining >= 0n && state.reserved >= 0n && state.debt >= 0n).toBe(true)
  expect(state.remaining === 0n || state.debt === 0n).toBe(true)
}

it('reserving and ending a hold changes the balance by exactly the charge', () => {
  fc.assert(
    fc.property(account, units, units, (before, held, charge) => {
      fc.pre(before.remaining >= held)
      const during = reserveQuota(before, held)
      expectSound(during)
      expect(during).toMatchObject({ remaining: before.remaining - held, reserved: before.reserved + held })
      const after = endHold(during, { held, charge })
      expectSound(after)
      expect(after).toMatchObject({
        reserved: before.reserved,
        used: before.used + charge,
        granted: before.granted,
      })
      expect(netBalance(after)).toBe(netBalance(before) - charge)
    }),
  )
})

it('reserveQuota never reserves more than the remaining quota', () => {
  fc.assert(
    fc.property(account, units, (before, amount) => {
      fc.pre(before.remaining < amount)
      expect(canCover(before, amount)).toBe(before.isUnlimited)
      expect(() => reserveQuota(before, amount)).toThrow('only what remains')
    }),
  )
})

it('a followed hold leaves the remaining quota unchanged, and the grant follows the charge', () => {
  fc.assert(
    fc.property(account, units, units, (before, held, charge) => {
      const during = reserveFollowed(before, held)
      expectSound(during)
      const after = endFollowedHold(during, { held, charge })
      expectSound(after)
      expect(netBalance(after)).toBe(netBalance(before))
      expect(after.used - before.used).toBe(charge)
      expect(after.granted - after.followed).toBe(before.granted - before.followed)
    }),
  )
})

it('a hold that becomes followed midway ends like one that was followed from the start', () => {
  fc.assert(
    fc.property(account, units, units, (before, held, charge) => {
      fc.pre(before.remaining >= held)
      const after = endFollowedHold(startFollowing(reserveQuota(before, held), held), { held, charge })
      expectSound(after)
      expect(after).toEqual(endFollowedHold(reserveFollowed(before, held), { held, charge }))
    }),
  )
})

it('corrections and grants change the balance by their difference, paying debt first', () => {
  fc.assert(
    fc.property(account, fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (before, difference) => {
      const granted = grant(before, difference)
      expectSound(granted)
      expect(netBalance(granted)).toBe(netBalance(before) + difference)
      const corrected = correct(before, difference)
      expectSound(corrected)
      expect(corrected.used).toBe(before.used + difference)
      expect(netBalance(corrected)).toBe(netBalance(before) - (before.isUnlimited ? 0n : difference))
    }),
  )
})
