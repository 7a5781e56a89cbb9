import { afterAll, expect, it } from 'vitest'
import { setLanguage } from '../../../shared/i18n/language.ts'
import { inReadersWords } from './sentence.ts'

afterAll(() => setLanguage('en'))

const sentences = [
  ['签到奖励 ＄0.010000 额度', 'Reward of $0.010000'],
  ['签到奖励 5000 点额度', 'Reward of 5000 units'],
  [
    '管理员将用户额度从 -＄1.000000 额度修改为 ＄2.500000 额度',
    'Quota changed by an administrator from -$1.000000 to $2.500000',
  ],
  ['通过兑换码充值 ＄1.000000 额度，兑换码ID 42', '$1.000000 by redemption code 42'],
  ['通过礼品码充值 500000 点额度，兑换码ID 7', '500000 units by gift code 7'],
  ['使用在线充值成功，充值金额: ＄5.000000 额度，支付金额：36.50', '$5.000000 bought online for 36.50'],
  ['邀请用户充值返利 ＄0.500000 额度', '$0.500000 from a top-up of somebody you invited'],
  ['您的邀请人获得返利 ＄0.500000 额度', '$0.500000 for the one who invited you'],
  ['新用户注册赠送 ＄0.200000 额度', '$0.200000 as a welcome'],
  ['使用邀请码赠送 ＄0.200000 额度', '$0.200000 for coming by an invitation'],
  ['邀请用户赠送 ＄0.200000 额度', '$0.200000 for an invitation'],
  ['构图失败 1718000000123475，补偿 20000 点额度', 'Drawing 1718000000123475 failed, 20000 units given back'],
  ['异步任务执行失败 task_a，补偿 ＄0.030000 额度', 'Task task_a failed, $0.030000 given back'],
  [
    '异步任务 task_a 按实际 120 tokens 结算，退还 30 点额度',
    'Task task_a took 120 tokens, 30 units given back',
  ],
] as const

it.each(sentences)('says %s in the language of its reader', async (stored, english) => {
  await setLanguage('en')
  expect(inReadersWords(stored)).toBe(english)
  await setLanguage('zh')
  expect(inReadersWords(stored)).toBe(stored)
})

it.each([
  '',
  'Redeemed code 42',
  '签到奖励',
  '模型倍率 0.07，补全倍率 4.00，分组倍率 1.00',
  'a (b) [c] {{id}} $&',
])('leaves any other text as it is: %s', async (text) => {
  await setLanguage('en')
  expect(inReadersWords(text)).toBe(text)
})
