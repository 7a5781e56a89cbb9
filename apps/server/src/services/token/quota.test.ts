import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TOKEN_QUOTA_MAX } from '@tollgate/contract/token'
import { quotaChange } from './quota.ts'

const limited = (available: bigint) => ({ available, isUnlimited: false })
const unlimited = (available: bigint) => ({ available, isUnlimited: true })

describe('an absolute quota', () => {
  it('is applied as the difference to the value that the form loaded', () => {
    const change = quotaChange({ remainQuota: 900, expectedQuota: 500 }, limited(500n))
    expect(change).toEqual({ delta: 400n, expected: 500n })
  })

  it('keeps the loaded value as a condition, even when it no longer holds', () => {
    const change = quotaChange({ remainQuota: 900, expectedQuota: 500 }, limited(300n))
    expect(change).toEqual({ delta: 400n, expected: 500n })
  })

  it('that was not changed in the form restores no quota spent meanwhile', () => {
    expect(quotaChange({ remainQuota: 500, expectedQuota: 500 }, limited(120n))).toBeUndefined()
  })

  it('without a loaded value is set, on the condition that the balance does not move in between', () => {
    expect(quotaChange({ remainQuota: 900 }, limited(120n))).toEqual({ delta: 780n, expected: 120n })
  })

  it('without a loaded value is applied as the difference to the value shown last, even if the balance has moved', () => {
    expect(quotaChange({ remainQuota: 900, shownQuota: 500 }, limited(120n))).toEqual({ delta: 400n })
    expect(quotaChange({ remainQuota: 500, shownQuota: 500 }, limited(120n))).toBeUndefined()
    expect(quotaChange({ remainQuota: 100, shownQuota: 500 }, limited(120n))).toEqual({ delta: -120n })
    expect(quotaChange({ remainQuota: 100, shownQuota: 500 }, limited(-9n))).toBeUndefined()
  })

  it('pays an open debt first', () => {
    expect(quotaChange({ remainQuota: 0 }, limited(-50n))).toEqual({ delta: 50n, expected: -50n })
  })

  it.each([-7, TOKEN_QUOTA_MAX + 1])('of %d is ignored when the token is unlimited', (remainQuota) => {
    expect(quotaChange({ remainQuota, isUnlimited: true }, unlimited(0n))).toBeUndefined()
    expect(quotaChange({ remainQuota, isUnlimited: true }, limited(5n))).toEqual({
      delta: 0n,
      unlimited: true,
    })
  })

  it('of an unlimited token is stored although it limits nothing', () => {
    expect(quotaChange({ remainQuota: 500, isUnlimited: true }, limited(0n))).toEqual({
      delta: 500n,
      unlimited: true,
    })
    expect(quotaChange({ remainQuota: 500 }, unlimited(500n))).toBeUndefined()
    expect(quotaChange({ remainQuota: 300, shownQuota: 500 }, unlimited(500n))).toEqual({
      delta: -200n,
      unlimited: true,
    })
  })

  it('loaded before calls were charged restores nothing when the token becomes unlimited', () => {
    const ask = { remainQuota: 500, shownQuota: 500, isUnlimited: true }
    expect(quotaChange(ask, limited(120n))).toEqual({ delta: 0n, unlimited: true })
  })

  it('can be switched to unlimited and back', () => {
    expect(quotaChange({ isUnlimited: true }, limited(40n))).toEqual({
      delta: 0n,
      unlimited: true,
    })
    expect(quotaChange({ isUnlimited: false, remainQuota: 100 }, unlimited(40n))).toEqual({
      delta: 60n,
      expected: 40n,
      unlimited: false,
    })
  })

  it.each([-1, TOKEN_QUOTA_MAX + 1])('of %d is rejected', (remainQuota) => {
    expect(() => quotaChange({ remainQuota }, limited(0n))).toThrow('token_quota_out_of_range')
  })

  it('always results in the requested value when the loaded value still holds', () => {
    const quota = fc.integer({ min: 0, max: TOKEN_QUOTA_MAX })
    fc.assert(
      fc.property(quota, fc.integer({ min: -1_000_000, max: TOKEN_QUOTA_MAX }), (remainQuota, now) => {
        const change = quotaChange({ remainQuota, expectedQuota: now }, limited(BigInt(now)))
        expect(BigInt(now) + (change?.delta ?? 0n)).toBe(BigInt(remainQuota))
      }),
    )
  })
})
