import { isRecord, parseObject, recordsAt, type JsonObject } from '../json.ts'
import { DONE, frame, usageChunk, type ChunkHead } from './chunks.ts'

/**
 * Converts a whole response to a stream with one chunk per choice, for upstreams that do not stream. Tool
 * calls, reasoning and unknown members of the message are kept.
 */
export function replayAsStream(answer: Buffer, options: { readonly forwardsUsage: boolean }): Buffer {
  const whole = parseObject(answer) ?? {}
  const head = headOf(whole)
  const frames = recordsAt(whole, 'choices').map((choice) => frame({ ...head, choices: [asChunk(choice)] }))
  const usage = whole['usage']
  if (options.forwardsUsage && isRecord(usage)) frames.push(frame(usageChunk(head, usage)))
  return Buffer.concat([...frames, DONE])
}

function headOf(whole: JsonObject): ChunkHead {
  const isLegacy = recordsAt(whole, 'choices').some((choice) => !isRecord(choice['message']))
  return {
    id: typeof whole['id'] === 'string' ? whole['id'] : 'chatcmpl-0',
    object: isLegacy ? 'text_completion' : 'chat.completion.chunk',
    created: typeof whole['created'] === 'number' ? whole['created'] : 0,
    model: typeof whole['model'] === 'string' ? whole['model'] : '',
  }
}

function asChunk(choice: JsonObject): JsonObject {
  const { message, ...rest } = choice
  return isRecord(message) ? { ...rest, delta: withIndexedCalls(message) } : rest
}

/** In a stream each tool call needs an `index`. */
function withIndexedCalls(message: JsonObject): JsonObject {
  const calls = recordsAt(message, 'tool_calls')
  if (calls.length === 0) return message
  return { ...message, tool_calls: calls.map((call, index) => ({ index, ...call })) }
}
