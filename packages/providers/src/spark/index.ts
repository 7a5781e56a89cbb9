import { recordAt, recordsAt } from '@tollgate/dialects/json'
import { vendorFormat } from '../define/conversations.ts'
import { keyPart, keyParts } from '../define/credentials.ts'
import { defineProvider, names } from '../define/define-provider.ts'
import { ndjsonFrames } from '../define/frames.ts'
import type { Outgoing, Upstream } from '../provider.ts'
import { sparkUrl } from '../sign/spark-url.ts'
import { sparkChat } from './codec.ts'
import { sparkPlace } from './place.ts'

/**
 * https://www.xfyun.cn/doc/spark/Web.html. Every call has its own WebSocket connection; each message received
 * becomes a line of the response.
 */
export const spark = defineProvider({
  id: 'spark',
  type: 18,
  label: 'iFlytek Spark',
  baseUrl: 'https://spark-api.xf-yun.com',
  credentials: keyParts('APPID|APISecret|APIKey', 3),
  other: { label: { en: 'Version', zh: '版本' }, usual: 'v2.1', staysAtOrigin: true },
  authHeaders: () => ({}),
  signUrl: (url, { key }, nowMs) => {
    const { protocol, host, pathname: path } = new URL(url)
    return sparkUrl({ protocol, host, path, apiSecret: keyPart(key, 1), apiKey: keyPart(key, 2), nowMs })
  },
  endpoints: {
    own: [
      vendorFormat(sparkChat, {
        url: ({ model }, { baseUrl, other }) =>
          `${baseUrl.replace(/^http/, 'ws')}${sparkPlace(model, other).path}`,
        openFrames: ndjsonFrames,
        streams: 'always',
        quirks: [addressed],
      }),
    ],
  },
  models: names('SparkDesk SparkDesk-v1.1 SparkDesk-v2.1 SparkDesk-v3.1 SparkDesk-v3.5 SparkDesk-v4.0'),
})

/**
 * Adds the application id and the model's domain. The oldest model has no system role, so system messages are
 * written as an exchange between user and assistant.
 */
function addressed(outgoing: Outgoing, { key, other }: Upstream): Outgoing {
  const { domain } = sparkPlace(outgoing.model, other)
  const chat = recordAt(recordAt(outgoing.body, 'parameter') ?? {}, 'chat')
  const body = {
    header: { app_id: keyPart(key, 0) },
    ...outgoing.body,
    parameter: { chat: { domain, ...chat } },
  }
  return { ...outgoing, body: domain === 'lite' ? agreed(body) : body }
}

function agreed(body: Outgoing['body']): Outgoing['body'] {
  const payload = recordAt(body, 'payload') ?? {}
  const message = recordAt(payload, 'message') ?? {}
  const text = recordsAt(message, 'text').flatMap((turn) =>
    turn['role'] === 'system'
      ? [
          { ...turn, role: 'user' },
          { role: 'assistant', content: 'Okay' },
        ]
      : [turn],
  )
  return { ...body, payload: { ...payload, message: { ...message, text } } }
}
