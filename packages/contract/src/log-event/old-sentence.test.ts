import { expect, it } from 'vitest'
import { isOldDrawing, oldSentence } from './old-sentence.ts'

const sentences = [
  ['登录成功（GitHub）', 'Signed in (GitHub)'],
  ['登录成功', 'Signed in'],
  ['签到奖励 ＄0.010000 额度', 'Check-in reward of $0.010000'],
  ['签到奖励 5000 点额度', 'Check-in reward of 5000 units'],
  ['通过兑换码充值 ＄1.000000 额度，兑换码ID 42', '$1.000000 from redemption code 42'],
  ['通过礼品码充值 500000 点额度，兑换码ID 7', '500000 units from gift code 7'],
  ['使用在线充值成功，充值金额: ＄5.000000 额度，支付金额：36.50', '$5.000000 bought online for 36.50'],
  ['邀请用户充值返利 ＄0.500000 额度', '$0.500000 from a top-up by someone you invited'],
  ['您的邀请人获得返利 ＄0.500000 额度', '$0.500000 for the person who invited you'],
  ['新用户注册赠送 ＄0.200000 额度', '$0.200000 as a welcome gift'],
  ['使用邀请码赠送 ＄0.200000 额度', '$0.200000 for signing up with an invitation'],
  ['邀请用户赠送 ＄0.200000 额度', '$0.200000 for inviting a user'],
  [
    '模型倍率 0.07，补全倍率 4.00，分组倍率 1.00',
    'Model ratio 0.07, completion ratio 4.00, group ratio 1.00',
  ],
  [
    '模型价格 0.04，分组倍率 1.00，大小 1024x1024, 品质 standard',
    'Model price 0.04, group ratio 1.00, size 1024x1024, quality standard',
  ],
  ['模型固定价格 0.10，分组倍率 1.00，时长 5 秒', 'Fixed model price 0.10, group ratio 1.00, 5 seconds'],
] as const

it.each(sentences)(
  'translates %s into English and leaves it unchanged for a Chinese reader',
  (stored, english) => {
    expect(oldSentence(stored, 'en')).toBe(english)
    expect(oldSentence(stored, 'zh')).toBe(stored)
  },
)

it('translates a change of quota by an administrator', () => {
  const stored = '管理员将用户额度从 -＄1.000000 额度修改为 ＄2.500000 额度'
  expect(oldSentence(stored, 'en')).toBe('Quota changed by an administrator from -$1.000000 to $2.500000')
  expect(oldSentence(stored, 'zh')).toBe('管理员将用户额度从 -＄1.000000 额度 修改为 ＄2.500000 额度')
})

it.each([
  [
    '构图失败 17180，补偿 20000 点额度',
    'Drawing 17180 failed, 20000 units refunded',
    '绘图 17180 失败，已退还 20000 点额度',
  ],
  [
    '异步任务执行失败 task_a，补偿 ＄0.030000 额度',
    'Task task_a failed, $0.030000 refunded',
    '任务 task_a 失败，已退还 ＄0.030000 额度',
  ],
  [
    '异步任务 task_a 按实际 120 tokens 结算，退还 30 点额度',
    'Task task_a took 120 tokens, 30 units refunded',
    '任务 task_a 实际使用 120 token，已退还 30 点额度',
  ],
])('describes a refund of a task like new rows do: %s', (stored, english, chinese) => {
  expect(oldSentence(stored, 'en')).toBe(english)
  expect(oldSentence(stored, 'zh')).toBe(chinese)
})

it('translates task actions, a password sign-in and an empty upstream response', () => {
  const drawing = '模型固定价格 0.10，分组倍率 1.00，操作 IMAGINE，ID 17180'
  expect(oldSentence(drawing, 'en')).toBe(
    'Fixed model price 0.10, group ratio 1.00, action Imagine, ID 17180',
  )
  expect(oldSentence(drawing, 'zh')).toBe('模型固定价格 0.10，分组倍率 1.00，操作 绘图，ID 17180')
  expect(oldSentence('登录成功（password）', 'en')).toBe('Signed in (password)')
  expect(oldSentence('登录成功（password）', 'zh')).toBe('登录成功（密码）')
  const silent = 'the answer ended before anything was said'
  expect(oldSentence(silent, 'zh')).toBe('上游没有返回任何内容就结束了应答')
})

it.each([
  '',
  'Redeemed code 42',
  '签到奖励',
  '模型倍率 0.07，补全倍率 4.00，分组倍率 1.00（缓存 3 折）',
  'a (b) [c] {{id}} $&',
])('leaves any other text unchanged: %s', (text) => {
  expect(oldSentence(text, 'en')).toBe(text)
})

it('isOldDrawing recognises sentences about a drawing', () => {
  expect(isOldDrawing('构图失败 17180，补偿 5 点额度')).toBe(true)
  expect(isOldDrawing('模型固定价格 0.10，分组倍率 1.00，操作 IMAGINE，ID 17180')).toBe(true)
  expect(isOldDrawing('异步任务执行失败 task_a，补偿 5 点额度')).toBe(false)
})
