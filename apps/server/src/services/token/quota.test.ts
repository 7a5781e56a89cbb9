import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TOKEN_QUOTA_MAX } from '@tollgate/contract/token'
import { quotaChange } from './quota.ts'

const limited = (available: bigint) => ({ available, isUnlimited: false })
const unlimited = (available: bigint) => ({ available, isUnlimited: true })

describe('an absolute quota', () => {
  it('is a difference against what the form loaded', () => {
    const change = quotaChange({ remainQuota: 900, expectedQuota: 500 }, limited(500n))
    expect(change).toEqual({ delta: 400n, expected: 500n })
  })

  it('keeps the loaded value as a condition, also when it is no longer true', () => {
    const change = quotaChange({ remainQuota: 900, expectedQuota: 500 }, limited(300n))
    expect(change).toEqual({ delta: 400n, expected: 500n })
  })

  it('12.23 a form that did not touch the quota gives nothing back that was used meanwhile', () => {
    expect(quotaChange({ remainQuota: 500, expectedQuota: 500 }, limited(120n))).toBeUndefined()
  })

  it('without a loaded value is set, on the condition that nothing moves in between', () => {
    expect(quotaChange({ remainQuota: 900 }, limited(120n))).toEqual({ delta: 780n, expected: 120n })
  })

  it('without a loaded value is a difference against what was shown, also when that has moved', () => {
    expect(quotaChange({ remainQuota: 900, shownQuota: 500 }, limited(120n))).toEqual({ delta: 400n })
    expect(quotaChange({ remainQuota: 500, shownQuota: 500 }, limited(120n))).toBeUndefined()
    expect(quotaChange({ remainQuota: 100, shownQuota: 500 }, limited(120n))).toEqual({ delta: -120n })
    expect(quotaChange({ remainQuota: 100, shownQuota: 500 }, limited(-9n))).toBeUndefined()
  })

  it('pays an open debt first', () => {
    expect(quotaChange({ remainQuota: 0 }, limited(-50n))).toEqual({ delta: 50n, expected: -50n })
  })

  it.each([-7, TOKEN_QUOTA_MAX + 1])('of %d beside "unlimited" is not read', (remainQuota) => {
    expect(quotaChange({ remainQuota, isUnlimited: true }, unlimited(0n))).toBeUndefined()
    expect(quotaChange({ remainQuota, isUnlimited: true }, limited(5n))).toEqual({
      delta: 0n,
      unlimited: true,
    })
  })

  it('of an unlimited token is kept beside the flag', () => {
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

  it('that was loaded before calls were charged gives nothing back when the token becomes unlimited', () => {
    const ask = { remainQuota: 500, shownQuota: 500, isUnlimited: true }
    expect(quotaChange(ask, limited(120n))).toEqual({ delta: 0n, unlimited: true })
  })

  it('switches to unlimited and back', () => {
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

  it.each([-1, TOKEN_QUOTA_MAX + 1])('of %d is refused', (remainQuota) => {
    expect(() => quotaChange({ remainQuota }, limited(0n))).toThrow('token_quota_out_of_range')
  })

  it('always lands on what was asked for when the loaded value is still true', () => {
    const quota = fc.integer({ min: 0, max: TOKEN_QUOTA_MAX })
    fc.assert(
      fc.property(quota, fc.integer({ min: -1_000_000, max: TOKEN_QUOTA_MAX }), (remainQuota, now) => {
        const change = quotaChange({ remainQuota, expectedQuota: now }, limited(BigInt(now)))
        expect(BigInt(now) + (change?.delta ?? 0n)).toBe(BigInt(remainQuota))
      }),
    )
  })
})
