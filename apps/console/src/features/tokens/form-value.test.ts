import { expect, it } from 'vitest'
import { batchNames, bodyOf, formValueOf, newTokenValue } from './form-value.ts'

const written = {
  name: 'laptop',
  expired_time: 1_800_000_000,
  remain_quota: 42,
  unlimited_quota: false,
  model_limits_enabled: true,
  model_limits: 'gpt-4o,gpt-4o-mini',
  allow_ips: '203.0.113.7\n10.0.0.0/8',
  group: 'auto',
  group_order: 'vip,default',
  cross_group_retry: false,
  rpm_limit: 60,
  tpm_limit: 0,
  max_parallel_requests: 4,
  budget_quota: 5_000_000,
  budget_period: 'week' as const,
}

const token = {
  ...written,
  id: 3,
  auto_groups: null,
  user_id: 7,
  key: 'abc***xyz',
  status: 1,
  created_time: 1,
  accessed_time: 1,
  used_quota: 0,
  overrun_quota: 0,
  open_requests: 1,
  budget_used: 7,
  budget_reset_time: 1_800_000_000,
  refused_today: 0,
  refused_reason: '',
  DeletedAt: null,
}

it('converts a token to form values and back without changes', () => {
  expect(bodyOf(formValueOf(token))).toEqual(written)
})

it('expresses "never expires" and "every model" as the contract does', () => {
  expect(bodyOf(newTokenValue)).toMatchObject({
    expired_time: -1,
    model_limits_enabled: false,
    model_limits: '',
  })
})

it('names a batch: the first as typed, the others with six random characters', () => {
  const names = batchNames('ci', 3)
  expect(names[0]).toBe('ci')
  expect(names.slice(1).every((name) => /^ci-[0-9A-Za-z]{6}$/.test(name))).toBe(true)
})
