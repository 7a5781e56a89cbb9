import type { Redemption } from '@tollgate/contract/redemption'
import { expect, it } from 'vitest'
import { codeLines, codeState } from './code-state.ts'

const code: Redemption = {
  id: 1,
  user_id: 1,
  key: 'abc',
  status: 1,
  name: 'spring',
  quota: 500_000,
  created_time: 0,
  redeemed_time: 0,
  valid_from: 0,
  valid_until: 0,
  expired_time: 0,
  count: 0,
  used_user_id: 0,
  used_username: '',
  is_gift: false,
  max_uses: -1,
  used_count: 0,
  version: 1,
  DeletedAt: null,
}

it.each([
  [{}, 'unused'],
  [{ status: 2 }, 'disabled'],
  [{ status: 3 }, 'used'],
  [{ is_gift: true, max_uses: 2, used_count: 2, status: 3 }, 'gone'],
  [{ is_gift: true, max_uses: -1, used_count: 9 }, 'unused'],
  [{ valid_until: 99 }, 'expired'],
  [{ valid_from: 101 }, 'early'],
  [{ valid_from: 100, valid_until: 100 }, 'unused'],
])('%o has the state %s', (fields, state) => {
  expect(codeState({ ...code, ...fields }, 100)).toBe(state)
})

it('joins names and codes for copying', () => {
  expect(codeLines([code, { ...code, name: 'b', key: 'def' }])).toBe('spring    abc\nb    def')
})
