import type { Token } from '@tollgate/contract/token'
import { expect, it } from 'vitest'
import { chosenModel, chosenToken, modelsOf } from './suggest.ts'

const token: Token = {
  id: 1,
  user_id: 1,
  key: 'abc***xyz',
  status: 1,
  name: 'laptop',
  created_time: 0,
  accessed_time: 0,
  expired_time: -1,
  remain_quota: 0,
  overrun_quota: 0,
  unlimited_quota: true,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  used_quota: 0,
  group: '',
  group_order: '',
  auto_groups: null,
  cross_group_retry: true,
  rpm_limit: 0,
  tpm_limit: 0,
  max_parallel_requests: 0,
  open_requests: 0,
  budget_quota: 0,
  budget_period: '',
  budget_used: 0,
  budget_reset_time: 0,
  refused_today: 0,
  refused_reason: '',
  DeletedAt: null,
}
const own = ['claude-sonnet-4-5', 'gpt-5.2', 'text-embedding-3-small']
const offers = [
  { model_name: 'claude-sonnet-4-5', enable_groups: ['vip'], supported_endpoint_types: ['messages'] },
  { model_name: 'gpt-5.2', enable_groups: ['default', 'vip'], supported_endpoint_types: ['chat'] },
  {
    model_name: 'text-embedding-3-small',
    enable_groups: ['default'],
    supported_endpoint_types: ['embeddings'],
  },
]

it('a token that is disabled, expired or used up is never suggested', () => {
  expect(
    chosenToken(
      [
        { ...token, status: 2 },
        { ...token, id: 2 },
      ],
      1,
    )?.id,
  ).toBe(2)
  expect(
    chosenToken(
      [
        { ...token, status: 3 },
        { ...token, status: 4 },
      ],
      0,
    ),
  ).toBeUndefined()
  expect(chosenToken([token, { ...token, id: 2 }], 2)?.id).toBe(2)
})

it('the models are those of the token’s group that can chat', () => {
  expect(modelsOf({ own, offers, token, ownGroup: 'default' })).toEqual(['gpt-5.2'])
  expect(modelsOf({ own, offers, token: { ...token, group: 'vip' }, ownGroup: 'default' })).toEqual([
    'claude-sonnet-4-5',
    'gpt-5.2',
  ])
  expect(modelsOf({ own, offers, token: { ...token, group: 'auto' }, ownGroup: 'default' })).toHaveLength(2)
})

it('the models are those that a limited token may call', () => {
  const limited = { ...token, group: 'vip', model_limits_enabled: true, model_limits: 'gpt-5.2,other' }
  expect(modelsOf({ own, offers, token: limited, ownGroup: 'default' })).toEqual(['gpt-5.2'])
})

it('the model suits the client unless the address names another', () => {
  const models = ['gpt-5.2', 'claude-sonnet-4-5']
  expect(chosenModel(models, { asked: '', prefers: 'claude' })).toBe('claude-sonnet-4-5')
  expect(chosenModel(models, { asked: 'gpt-5.2', prefers: 'claude' })).toBe('gpt-5.2')
  expect(chosenModel(models, { asked: 'gone', prefers: 'gemini' })).toBe('gpt-5.2')
  expect(chosenModel([], { asked: 'gone', prefers: 'any' })).toBeUndefined()
})
