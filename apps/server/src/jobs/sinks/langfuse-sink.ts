import type { Egress } from '@tollgate/egress/egress'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { z } from 'zod'
import { JobFailure } from '../job.ts'
import { postRows } from './http-sink.ts'
import type { LogSink, LogSinkRow } from './sink.ts'

export interface LangfuseSettings {
  /** For example `https://cloud.langfuse.com`. */
  readonly address: string
  readonly publicKey: string
  readonly secretKey: string
}

const RECEIVER = { en: 'Langfuse', zh: ' Langfuse ' }
const answerSchema = z.object({ errors: z.array(z.object({ status: z.number() })).default([]) })

/**
 * A trace with one generation for each call, without texts. Langfuse knows an event by its id, so that a repeated
 * one changes nothing. https://api.reference.langfuse.com/#tag/ingestion
 */
export function langfuseSink(
  { address, publicKey, secretKey }: LangfuseSettings,
  egress: Pick<Egress, 'exchange'>,
): LogSink {
  const authorization = `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`
  return {
    send: async (rows, signal) => {
      const body = JSON.stringify({ batch: rows.flatMap(eventsOf) })
      const url = `${address}/api/public/ingestion`
      const answer = await postRows(egress, {
        receiver: RECEIVER,
        url,
        headers: { authorization },
        body,
        signal,
      })
      requireTaken(answer.body)
    },
  }
}

/** An event that Langfuse calls wrong would be wrong again; one that it could not store is sent again. */
function requireTaken(body: Buffer): void {
  const answer = answerSchema.safeParse(parsed(body))
  if (answer.success && answer.data.errors.every(({ status }) => status < 500)) return
  throw new JobFailure({ en: 'Langfuse did not store the rows.', zh: 'Langfuse 未能保存这些记录。' })
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

function eventsOf(row: LogSinkRow): readonly object[] {
  const traceId = row.request_id ?? `tollgate-log-${row.id}`
  const end = new Date(row.created_at * 1000)
  const start = new Date(end.getTime() - row.duration_ms)
  const isError = row.type === LOG_TYPE.error
  const timestamp = end.toISOString()
  return [
    {
      id: `${traceId}-trace`,
      type: 'trace-create',
      timestamp,
      body: {
        id: traceId,
        timestamp: start.toISOString(),
        name: row.model_name,
        userId: row.username,
        sessionId: row.session ?? undefined,
        metadata: {
          token: row.token_name,
          group: row.group_name,
          channel: row.channel_id,
          client: row.client,
        },
      },
    },
    {
      id: `${traceId}-generation`,
      type: 'generation-create',
      timestamp,
      body: {
        id: `${traceId}-generation`,
        traceId,
        name: row.model_name,
        model: row.model_name,
        startTime: start.toISOString(),
        completionStartTime:
          row.first_byte_ms > 0 ? new Date(start.getTime() + row.first_byte_ms).toISOString() : undefined,
        endTime: timestamp,
        level: isError ? 'ERROR' : 'DEFAULT',
        usageDetails: { input: row.prompt_tokens, output: row.completion_tokens },
        metadata: { quota: String(row.quota) },
      },
    },
  ]
}
