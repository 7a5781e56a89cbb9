import type { ReadReply } from '../canonical/codec.ts'
import type { UsageReader } from '../dialect.ts'
import { recordsAt, textAt, type JsonObject } from '../json.ts'
import { badBody, errorInside } from '../errors/upstream-error.ts'
import { readBlock } from './blocks.ts'
import { readEnd } from './ends.ts'
import { readBlocks } from './searches.ts'

/** Reads a complete (not streamed) message. */
export function readReply(body: JsonObject, readUsage: UsageReader): ReadReply {
  const error = errorInside(body)
  if (error !== undefined) return { type: 'error', error }
  if (!Array.isArray(body['content'])) return { type: 'error', error: badBody('bad_response_body') }
  return {
    type: 'reply',
    reply: {
      id: textAt(body, 'id') ?? '',
      model: textAt(body, 'model') ?? '',
      choices: [
        {
          parts: readBlocks(recordsAt(body, 'content'), readBlock),
          end: readEnd(body) ?? { reason: 'other', raw: '' },
        },
      ],
      usage: readUsage(body),
    },
  }
}
