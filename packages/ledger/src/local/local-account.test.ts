import { describe, expect, it } from 'vitest'
import { LocalAccount } from './local-account.ts'

/** Quota that a busy caller needs is asked for before it runs out. */

function accountWith(free: bigint): LocalAccount {
  const account = new LocalAccount(1)
  account.isAllotted = true
  account.free = free
  return account
}

describe('a refill ahead of need', () => {
  it('is due when less than half of the last refill is left, at most once a second', () => {
    const account = accountWith(640n)
    expect(account.refill(10n, 0)).toBe(640n)
    expect(account.needsRefill(10_000)).toBe(false)
    account.free = 319n
    expect(account.needsRefill(10_000)).toBe(true)
    expect(account.needsRefill(10_999)).toBe(false)
    expect(account.needsRefill(11_000)).toBe(true)
  })

  it.each([
    ['a request is under way', (account: LocalAccount) => (account.asked = 1)],
    ['others need the quota', (account: LocalAccount) => account.noteScarce(100_000)],
    ['the account has no limit', (account: LocalAccount) => (account.isUnlimited = true)],
    ['nothing was ever refilled', (account: LocalAccount) => account.noteRefill(0n)],
  ])('is not due while %s', (_what, change) => {
    const account = accountWith(0n)
    account.refill(10n, 0)
    change(account)
    expect(account.needsRefill(10_000)).toBe(false)
  })

  it('doubles while refills follow soon, and shrinks when they do not', () => {
    const account = accountWith(0n)
    const sizes = [0, 1_000, 20_000, 59_000, 200_000].map((nowMs) => account.refill(1n, nowMs))
    expect(sizes).toEqual([64n, 128n, 256n, 512n, 256n])
  })

  it('is no larger for failures, and no larger than what others leave', () => {
    const account = accountWith(0n)
    account.refill(1n, 0)
    for (let second = 1; second < 20; second++) {
      account.refill(1n, second * 1_000)
      account.noteRefill(undefined)
    }
    expect(account.refill(1n, 20_000)).toBe(128n)
    account.noteRefill(100n)
    account.free = 60n
    expect(account.needsRefill(21_000)).toBe(false)
    account.free = 49n
    expect(account.needsRefill(21_000)).toBe(true)
  })
})
