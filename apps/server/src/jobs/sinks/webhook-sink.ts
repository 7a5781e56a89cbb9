import { createHmac } from 'node:crypto'
import type { Egress } from '@tollgate/egress/egress'
import { postRows } from './http-sink.ts'
import { type LogSink, rowText } from './sink.ts'

const RECEIVER = { en: 'The webhook of the usage log', zh: '使用日志的 Webhook ' }

/** Posts `{"rows": […]}`, signed like the webhooks of users: `x-webhook-signature` is the HMAC of the body. */
export function webhookSink(
  { url, secret }: { url: string; secret: string },
  egress: Pick<Egress, 'exchange'>,
): LogSink {
  return {
    send: async (rows, signal) => {
      const body = `{"rows":[${rows.map(rowText).join(',')}]}`
      const headers: Record<string, string> =
        secret === ''
          ? {}
          : { 'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex') }
      await postRows(egress, { receiver: RECEIVER, url, headers, body, signal })
    },
  }
}
