import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ReceiverFields } from '@tollgate/contract/alert-receivers'
import { type AlertMessage, refusalIn, writers } from './receivers.ts'

const message: AlertMessage = {
  id: 'alert:channel:7:1000:open:webhook',
  rule: 'channel',
  subject: '7',
  state: 'open',
  site: 'Tollgate',
  text: 'Channel one (#7) is down',
  timestamp: 1,
}
const LINE = '[Tollgate] Channel one (#7) is down'
const NOW = 1_700_000_000_000

function write(name: keyof typeof writers, fields: ReceiverFields) {
  const posting = writers[name](fields, message, NOW)
  return posting && { ...posting, body: JSON.parse(String(posting.body)) }
}

test('a receiver without an address gets nothing', () => {
  const postings = Object.values(writers).map((writer) => writer({}, message, NOW))
  expect(postings).toEqual(postings.map(() => undefined))
  expect(postings).toHaveLength(8)
})

test('DingTalk requests are signed in the address, Feishu requests in the body', () => {
  const dingtalk = write('dingtalk', {
    url: 'https://oapi.dingtalk.com/robot/send?access_token=t',
    secret: 'SECx',
  })
  const url = new URL(dingtalk?.url ?? '')
  const sign = createHmac('sha256', 'SECx').update(`${NOW}\nSECx`).digest('base64')
  expect(Object.fromEntries(url.searchParams)).toEqual({ access_token: 't', timestamp: String(NOW), sign })
  expect(dingtalk?.body).toEqual({ msgtype: 'text', text: { content: LINE } })

  const feishu = write('feishu', { url: 'https://open.feishu.cn/hook', secret: 'f' })
  expect(feishu?.body).toEqual({
    timestamp: '1700000000',
    sign: createHmac('sha256', '1700000000\nf').digest('base64'),
    msg_type: 'text',
    content: { text: LINE },
  })
})

test('the other receivers get their own forms', () => {
  expect(write('wecom', { url: 'https://w.test' })?.body).toEqual({
    msgtype: 'text',
    text: { content: LINE },
  })
  expect(write('slack', { url: 'https://s.test' })?.body).toEqual({ text: LINE })
  expect(write('telegram', { token: '1:a', chat: '-9', url: 'https://api.telegram.org/' })).toMatchObject({
    url: 'https://api.telegram.org/bot1:a/sendMessage',
    body: { chat_id: '-9', text: LINE },
  })
  expect(write('bark', { url: 'https://api.day.app/k' })?.body).toMatchObject({ body: message.text })
  expect(write('ntfy', { url: 'https://ntfy.sh/ops', token: 'tk' })).toMatchObject({
    url: 'https://ntfy.sh/',
    headers: { authorization: 'Bearer tk' },
    body: { topic: 'ops', message: message.text },
  })
})

test('a webhook is signed over its body', () => {
  const posting = writers.webhook({ url: 'https://w.test', secret: 's' }, message, NOW)
  const expected = createHmac('sha256', 's').update(String(posting?.body)).digest('hex')
  expect(posting?.headers).toMatchObject({ 'x-webhook-id': message.id, 'x-webhook-signature': expected })
})

test.each([
  ['{"errcode":310000,"errmsg":"sign not match"}', 'sign not match'],
  ['{"code":19021,"msg":"sign match fail"}', 'sign match fail'],
  ['{"ok":false,"description":"chat not found"}', 'chat not found'],
  ['{"errcode":0,"errmsg":"ok"}', undefined],
  ['{"StatusCode":0,"code":0}', undefined],
  ['{"code":200,"message":"success"}', undefined],
  ['{"ok":true}', undefined],
  ['ok', undefined],
  ['', undefined],
  ['null', undefined],
])('%s is the refusal %s', (body, reason) => {
  expect(refusalIn(Buffer.from(body))).toBe(reason)
})
