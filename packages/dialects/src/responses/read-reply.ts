import type { ReadReply } from '../canonical/codec.ts'
import type { UsageReader } from '../dialect.ts'
import { recordsAt, textAt, type JsonObject } from '../json.ts'
import { badBody } from '../errors/upstream-error.ts'
import { failureOf, readEnd } from './ends.ts'
import { readOutputItem } from './output-items.ts'

/** Reads a complete response. https://platform.openai.com/docs/api-reference/responses/object */
export function readReply(body: JsonObject, readUsage: UsageReader): ReadReply {
  const error = failureOf(body)
  if (error !== undefined) return { type: 'error', error }
  if (!Array.isArray(body['output'])) return { type: 'error', error: badBody('bad_response_body') }
  const parts = recordsAt(body, 'output').flatMap(readOutputItem)
  const end = readEnd(
    body,
    parts.some((part) => part.type === 'tool-call'),
  )
  return {
    type: 'reply',
    reply: {
      ...headOf(body),
      choices: [{ parts, end }],
      usage: readUsage(body),
    },
  }
}

export function headOf(response: JsonObject) {
  const created = response['created_at']
  return {
    id: textAt(response, 'id') ?? '',
    model: textAt(response, 'model') ?? '',
    createdSeconds: typeof created === 'number' ? created : undefined,
    serviceTier: textAt(response, 'service_tier'),
  }
}
