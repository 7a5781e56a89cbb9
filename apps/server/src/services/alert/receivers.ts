import { createHmac } from 'node:crypto'
import type { ReceiverFields, ReceiverKind } from '@tollgate/contract/alert-receivers'
import { withoutTrailing } from '@tollgate/kit/without-trailing'
import type { ExchangeRequest } from '@tollgate/egress/egress'

/** The message that a receiver gets. `id` is the same when a message is sent again. */
export interface AlertMessage {
  readonly id: string
  readonly rule: string
  readonly subject: string
  readonly state: 'open' | 'over' | 'test'
  readonly site: string
  readonly text: string
  readonly timestamp: number
}

type Posting = Pick<ExchangeRequest, 'url' | 'headers' | 'body'>

/** What a receiver that is reached by HTTP gets; `undefined` while a field is missing. */
type Writer = (fields: ReceiverFields, message: AlertMessage, nowMs: number) => Posting | undefined

export const writers: Readonly<Record<Exclude<ReceiverKind, 'mail'>, Writer>> = {
  // https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
  feishu: ({ url: address, secret = '' }, message, nowMs) => {
    const timestamp = String(Math.floor(nowMs / 1000))
    const sign = createHmac('sha256', `${timestamp}\n${secret}`).digest('base64')
    const content = { msg_type: 'text', content: { text: lineOf(message) } }
    return json(address, secret === '' ? content : { timestamp, sign, ...content })
  },
  // https://open.dingtalk.com/document/robots/customize-robot-security-settings
  dingtalk: ({ url: address, secret = '' }, message, nowMs) => {
    const url = URL.parse(address ?? '')
    if (url !== null && secret !== '') {
      url.searchParams.set('timestamp', String(nowMs))
      url.searchParams.set(
        'sign',
        createHmac('sha256', secret).update(`${nowMs}\n${secret}`).digest('base64'),
      )
    }
    return json(url?.href ?? address, {
      msgtype: 'text',
      text: { content: lineOf(message) },
    })
  },
  // https://developer.work.weixin.qq.com/document/path/91770
  wecom: ({ url }, message) => json(url, { msgtype: 'text', text: { content: lineOf(message) } }),
  slack: ({ url }, message) => json(url, { text: lineOf(message) }),
  telegram: ({ token = '', chat = '', url = '' }, message) => {
    if (token === '' || chat === '' || url === '') return undefined
    return json(`${withoutTrailing(url, '/')}/bot${token}/sendMessage`, {
      chat_id: chat,
      text: lineOf(message),
    })
  },
  // https://bark.day.app/#/tutorial
  bark: ({ url }, { site, text }) => json(url, { title: site, body: text, group: site }),
  // https://docs.ntfy.sh/publish/#publish-as-json
  ntfy: ({ url: address, token = '' }, { site, text }) => {
    const url = URL.parse(address ?? '')
    const topic = url?.pathname.split('/').findLast((part) => part !== '')
    if (url === null || topic === undefined) return json(address, {})
    const root = url.href.slice(0, url.href.lastIndexOf(topic))
    return json(
      root,
      { topic, title: site, message: text },
      token === '' ? {} : { authorization: `Bearer ${token}` },
    )
  },
  webhook: ({ url, secret = '' }, message) => {
    const { id, rule, subject, state, site: title, text: content, timestamp } = message
    const body = { id, type: 'alert', rule, subject, state, title, content, timestamp }
    const signature = createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex')
    return json(url, body, {
      'x-webhook-id': id,
      ...(secret !== '' && { 'x-webhook-signature': signature }),
    })
  },
}

function lineOf({ site, text }: AlertMessage): string {
  return `[${site}] ${text}`
}

function json(
  url: string | undefined,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Posting | undefined {
  if (url === undefined || url === '') return undefined
  return { url, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

/** The reason of a refusal that came with status 200, as chat services do it; `undefined` for a success. */
export function refusalIn(body: Buffer): string | undefined {
  let answer: unknown
  try {
    answer = JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
  if (typeof answer !== 'object' || answer === null) return undefined
  const { code, errcode, StatusCode, ok, msg, errmsg, description } = Object(answer)
  const isRefused =
    ok === false ||
    [errcode, StatusCode].some((each) => typeof each === 'number' && each !== 0) ||
    (typeof code === 'number' && code !== 0 && code !== 200)
  if (!isRefused) return undefined
  const words: unknown = msg ?? errmsg ?? description
  return typeof words === 'string' ? words.slice(0, 200) : 'refused'
}
