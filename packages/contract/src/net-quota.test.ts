import { LOG_TYPE } from '@tollgate/kit/codes'
import { expect, test } from 'vitest'
import { netQuota } from './net-quota.ts'

test('a refund counts negatively, and every other row counts as its quota', () => {
  expect(netQuota({ type: LOG_TYPE.consumption, quota: 50 })).toBe(50)
  expect(netQuota({ type: LOG_TYPE.refund, quota: 50 })).toBe(-50)
  expect(netQuota({ type: LOG_TYPE.refund, quota: 0 })).toBe(0)
})
