import type { Egress } from '@tollgate/egress/egress'
import { Problem } from '@tollgate/problems/problem'
import { JobFailure } from '../job.ts'
import { type NatsSettings, openNats } from './nats-client.ts'
import { type LogSink, rowText } from './sink.ts'

/**
 * Publishes each row to a subject that a JetStream stream covers, and waits until the stream has stored it. The
 * message id lets the stream drop a row that comes again.
 */
export function natsSink(
  settings: NatsSettings & { readonly subject: string },
  egress: Pick<Egress, 'connection'>,
): LogSink {
  return {
    send: async (rows) => {
      try {
        const connection = await openNats(settings, egress)
        try {
          const acknowledged = rows.map((row) =>
            connection.request(settings.subject, rowText(row), {
              'Nats-Msg-Id': row.request_id ?? `tollgate-log-${row.id}`,
            }),
          )
          for (const answer of await Promise.all(acknowledged)) requireStored(answer)
        } finally {
          connection.close()
        }
      } catch (cause) {
        throw explained(cause)
      }
    },
  }
}

/** https://docs.nats.io/reference/reference-protocols/nats_api_reference */
function requireStored(answer: string): void {
  const { error, stream } = Object(JSON.parse(answer))
  if (typeof stream !== 'string' || error !== undefined)
    throw new Error(`the stream did not store a row: ${String(Object(error).description ?? 'no reason')}`)
}

function explained(cause: unknown): JobFailure {
  const text = (language: 'en' | 'zh'): string =>
    cause instanceof Problem ? cause.textIn(language) : cause instanceof Error ? cause.message : String(cause)
  return new JobFailure(
    { en: `NATS did not take the usage log: ${text('en')}`, zh: `NATS 未接收使用日志：${text('zh')}` },
    { cause },
  )
}
