import { expect, it } from 'vitest'
import { batchNames, bodyOf, formValueOf, newTokenValue } from './form-value.ts'

const token = {
  id: 3,
  user_id: 7,
  key: 'abc***xyz',
  status: 1,
  name: 'laptop',
  created_time: 1,
  accessed_time: 1,
  expired_time: 1_800_000_000,
  remain_quota: 42,
  unlimited_quota: false,
  model_limits_enabled: true,
  model_limits: 'gpt-4o,gpt-4o-mini',
  allow_ips: '203.0.113.7\n10.0.0.0/8',
  used_quota: 0,
  group: 'vip',
  DeletedAt: null,
}

it('writes back exactly what it read', () => {
  const {
    name,
    expired_time,
    remain_quota,
    unlimited_quota,
    model_limits_enabled,
    model_limits,
    allow_ips,
    group,
  } = token
  expect(bodyOf(formValueOf(token))).toEqual({
    name,
    expired_time,
    remain_quota,
    unlimited_quota,
    model_limits_enabled,
    model_limits,
    allow_ips,
    group,
  })
})

it('says "never" and "every model" the way the contract does', () => {
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
