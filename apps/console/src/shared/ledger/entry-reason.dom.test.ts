import { afterEach, expect, it } from 'vitest'
import { setLanguage } from '../i18n/language.ts'
import { entryReason } from './entry-reason.ts'
import { ledgerMessages } from './ledger-messages.ts'

afterEach(() => setLanguage('en'))

const reason = (key: string, note = '') => entryReason({ key, note }, ledgerMessages.t)

it.each([
  ['gift:new:7', 'gift_new_user', 'Gift for a new account', '新用户赠送'],
  ['invited:7', 'gift_invitee', 'Welcome gift for an invited user', '使用邀请码赠送'],
  ['invite:9', 'gift_inviter', 'Reward for inviting user #9', '邀请用户 #9 的奖励'],
  ['gift:4:7', 'gift code', 'Gift code #4 redeemed', '礼品码 #4'],
  ['redeem:4', 'code', 'Code #4 redeemed', '兑换码 #4'],
  ['checkin:7:2026-11-21', 'check-in', 'Check-in on 2026-11-21', '2026-11-21 签到'],
  ['rebate:topup:3', 'rebate', 'Share of a top-up by an invited user', '受邀用户充值返利'],
  ['adjust:user:7:x', 'by user 1', 'Changed by admin #1', '管理员 #1 调整'],
  [
    'adjust:user:7:x',
    'by user 1: party: two',
    'Changed by admin #1: party: two',
    '管理员 #1 调整：party: two',
  ],
  ['transfer:aff:1:x8J', '', 'Moved to the balance', '划转到余额'],
  ['transferred:aff:1:x8J', '', 'Moved from the invitation earnings', '由邀请收益划转'],
  ['import:a:user:7', 'opening', 'Imported from the previous site', '从原站点迁入'],
])('the entry %s has a readable explanation', async (key, note, en, zh) => {
  expect(reason(key, note)).toBe(en)
  await setLanguage('zh')
  expect(reason(key, note)).toBe(zh)
})

it('an unknown operation is described by its note', () => {
  expect(reason('odd:1', 'for the party')).toBe('for the party')
  expect(reason('odd:1')).toBeUndefined()
})
