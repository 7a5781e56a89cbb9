import { parseObject, recordsAt, type JsonObject } from '../json.ts'
import { isTranscript, type MediaOperation } from './operation.ts'

/** A whole answer as a stream, for a caller who asked for one and an upstream that has none. */
export function replayMedia(answer: Buffer, operation: MediaOperation): Buffer {
  const whole = parseObject(answer)
  if (whole === undefined) return frame({ type: 'transcript.text.done', text: answer.toString() })
  if (isTranscript(operation)) return frame({ type: 'transcript.text.done', ...whole })
  const { data: _data, created, usage, ...rest } = whole
  const type = operation === 'images' ? 'image_generation.completed' : 'image_edit.completed'
  const pictures = recordsAt(whole, 'data').map((picture) => ({
    type,
    created_at: created,
    ...rest,
    ...picture,
  }))
  // What all of them cost is told once.
  return Buffer.concat(
    pictures.map((event, at) => frame(at === pictures.length - 1 ? { ...event, usage } : event)),
  )
}

function frame(event: JsonObject): Buffer {
  return Buffer.from(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
}
