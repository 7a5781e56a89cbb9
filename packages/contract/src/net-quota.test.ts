import { expect, test } from 'vitest'
import { LOG_TYPE } from './log.ts'
import { netQuota } from './net-quota.ts'

test('a refund takes away from what was spent, and every other row is what it says', () => {
  expect(netQuota({ type: LOG_TYPE.consumption, quota: 50 })).toBe(50)
  expect(netQuota({ type: LOG_TYPE.refund, quota: 50 })).toBe(-50)
  expect(netQuota({ type: LOG_TYPE.refund, quota: 0 })).toBe(0)
})
