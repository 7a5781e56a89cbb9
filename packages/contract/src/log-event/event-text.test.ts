import { expect, it } from 'vitest'
import { type LogEvent, logEventSchema, readLogEvent } from './event.ts'
import { eventText } from './event-text.ts'
import { eventsBeginning } from './events-beginning.ts'
import { oldSentence } from './old-sentence.ts'
import type { TextReader } from './text-reader.ts'

const oldReader: TextReader = {
  language: 'zh',
  isOld: true,
  amount: (units) => `＄${units / 100}.000000 额度`,
}
const en: TextReader = { language: 'en', amount: (units) => `$${units / 100}` }
const zh: TextReader = { language: 'zh', amount: en.amount }

const ratios = { model_ratio: 0.075, completion_ratio: 4, group_ratio: 1, model_price: -1 }
const fixed = { model_ratio: 0, completion_ratio: 0, group_ratio: 1.5, model_price: 0.04 }
const picture = { size: '1024x1024', quality: 'standard' }
const drawing = { task_id: '17180', platform: 'mj', action: 'IMAGINE' }
const video = { task_id: 'task_a', platform: 'video', action: 'TEXT2VIDEO' }

const table: readonly (readonly [event: LogEvent, old: string, en: string, zh: string])[] = [
  [
    { event: 'calls_refused', refused: 212, reason: 'token_exhausted' },
    '拒绝 212 次：token_exhausted',
    'Refused 212 times: used up',
    '拒绝 212 次：额度已用尽',
  ],
  [
    { event: 'calls_refused', refused: 3, reason: 'made_up' },
    '拒绝 3 次：made_up',
    'Refused 3 times: made_up',
    '拒绝 3 次：made_up',
  ],
  [
    { event: 'call_charged', ...ratios },
    '模型倍率 0.07，补全倍率 4.00，分组倍率 1.00',
    'Model ratio 0.075, completion ratio 4, group ratio 1',
    '模型倍率 0.075，补全倍率 4，分组倍率 1',
  ],
  [
    { event: 'call_charged', ...fixed, picture },
    '模型价格 0.04，分组倍率 1.50，大小 1024x1024, 品质 standard',
    'Model price 0.04, group ratio 1.5, size 1024x1024, quality standard',
    '模型价格 0.04，分组倍率 1.5，大小 1024x1024, 品质 standard',
  ],
  [
    { event: 'task_charged', ...drawing, model_price: 0.1, group_ratio: 1 },
    '模型固定价格 0.10，分组倍率 1.00，操作 IMAGINE，ID 17180',
    'Fixed model price 0.1, group ratio 1, action Imagine, ID 17180',
    '模型固定价格 0.1，分组倍率 1，操作 绘图，ID 17180',
  ],
  [
    { event: 'task_charged', ...video, model_price: 0.1, group_ratio: 1, seconds: 5 },
    '模型固定价格 0.10，分组倍率 1.00，操作 TEXT2VIDEO，时长 5 秒',
    'Fixed model price 0.1, group ratio 1, action Text to video, 5 seconds',
    '模型固定价格 0.1，分组倍率 1，操作 文生视频，时长 5 秒',
  ],
  [
    { event: 'task_charged', ...video, model_ratio: 23, group_ratio: 1 },
    '模型倍率 23.00，分组倍率 1.00，操作 TEXT2VIDEO',
    'Model ratio 23, group ratio 1, action Text to video',
    '模型倍率 23，分组倍率 1，操作 文生视频',
  ],
  [
    { event: 'task_refunded', task_id: '17180', platform: 'mj', quota: 200 },
    '构图失败 17180，补偿 ＄2.000000 额度',
    'Drawing 17180 failed, $2 refunded',
    '绘图 17180 失败，已退还 $2',
  ],
  [
    { event: 'task_refunded', task_id: 'task_a', platform: 'suno', quota: 200 },
    '异步任务执行失败 task_a，补偿 ＄2.000000 额度',
    'Task task_a failed, $2 refunded',
    '任务 task_a 失败，已退还 $2',
  ],
  [
    { event: 'task_settled_for_less', task_id: 'task_a', tokens: 120, quota: 100 },
    '异步任务 task_a 按实际 120 tokens 结算，退还 ＄1.000000 额度',
    'Task task_a took 120 tokens, $1 refunded',
    '任务 task_a 实际使用 120 token，已退还 $1',
  ],
  [
    { event: 'answer_empty' },
    'the answer ended before anything was said',
    'The upstream ended its answer without any content',
    '上游没有返回任何内容就结束了应答',
  ],
  [
    { event: 'top_up', quota: 500, money: '36.50' },
    '使用在线充值成功，充值金额: ＄5.000000 额度，支付金额：36.50',
    '$5 bought online for 36.50',
    '使用在线充值成功，充值金额: $5，支付金额：36.50',
  ],
  [
    { event: 'redeem', quota: 100, code_id: 42 },
    '通过兑换码充值 ＄1.000000 额度，兑换码ID 42',
    '$1 from redemption code 42',
    '通过兑换码充值 $1，兑换码ID 42',
  ],
  [
    { event: 'redeem_gift', quota: 100, code_id: 7 },
    '通过礼品码充值 ＄1.000000 额度，兑换码ID 7',
    '$1 from gift code 7',
    '通过礼品码充值 $1，兑换码ID 7',
  ],
  [{ event: 'check_in', quota: 100 }, '签到奖励 ＄1.000000 额度', 'Check-in reward of $1', '签到奖励 $1'],
  [
    { event: 'gift_new_user', quota: 100 },
    '新用户注册赠送 ＄1.000000 额度',
    '$1 as a welcome gift',
    '新用户注册赠送 $1',
  ],
  [
    { event: 'gift_invitee', quota: 100 },
    '使用邀请码赠送 ＄1.000000 额度',
    '$1 for signing up with an invitation',
    '使用邀请码赠送 $1',
  ],
  [
    { event: 'gift_inviter', quota: 100 },
    '邀请用户赠送 ＄1.000000 额度',
    '$1 for inviting a user',
    '邀请用户赠送 $1',
  ],
  [
    { event: 'rebate', quota: 100 },
    '邀请用户充值返利 ＄1.000000 额度',
    '$1 from a top-up by someone you invited',
    '邀请用户充值返利 $1',
  ],
  [
    { event: 'rebate_of_inviter', quota: 100 },
    '您的邀请人获得返利 ＄1.000000 额度',
    '$1 for the person who invited you',
    '您的邀请人获得返利 $1',
  ],
  [
    { event: 'quota_changed', before: 100, after: 300 },
    '管理员将用户额度从 ＄1.000000 额度修改为 ＄3.000000 额度',
    'Quota changed by an administrator from $1 to $3',
    '管理员将用户额度从 $1 修改为 $3',
  ],
  [{ event: 'sign_in', way: 'GitHub' }, '登录成功（GitHub）', 'Signed in (GitHub)', '登录成功（GitHub）'],
  [{ event: 'sign_in', way: 'password' }, '登录成功（password）', 'Signed in (password)', '登录成功（密码）'],
  [{ event: 'sign_in', way: '' }, '登录成功', 'Signed in', '登录成功'],
]

it.each(table)('event %j has the right text for the old API and in both languages', (event, ...texts) => {
  expect([oldReader, en, zh].map((reader) => eventText(event, reader))).toEqual(texts)
})

it('the table above has a line for every event', () => {
  const names = logEventSchema.options.map(({ shape }) => shape.event.value)
  expect(new Set(table.map(([{ event }]) => event))).toEqual(new Set(names))
})

it.each(table)('eventsBeginning finds the event of %j by the beginning of its sentence', (event, old) => {
  expect(eventsBeginning(old)).toContain(event.event)
  expect(eventsBeginning(old.slice(0, 3))).toContain(event.event)
  expect(eventsBeginning('Another text')).toEqual([])
})

it.each(table)('oldSentence recognises the sentence that earlier versions stored for %j', (_event, old) => {
  expect(oldSentence(old, 'en')).not.toMatch(/[\u4e00-\u9fff]/)
})

it('readLogEvent reads an event among the other members of a row, and nothing from rows without a known event', () => {
  const members = { event: 'check_in', quota: 5000, admin_info: { use_channel: [] } }
  expect(readLogEvent(members)).toEqual({ event: 'check_in', quota: 5000 })
  expect(readLogEvent({ event: 'of a later version', quota: 5000 })).toBeUndefined()
  expect(readLogEvent({ event: 'check_in', quota: 'much' })).toBeUndefined()
  expect(readLogEvent({ model_ratio: 1 })).toBeUndefined()
})
