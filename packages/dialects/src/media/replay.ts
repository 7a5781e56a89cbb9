import { parseObject, recordsAt, type JsonObject } from '../json.ts'
import { isTranscript, type MediaOperation } from './operation.ts'

/** A whole answer as a stream, for a caller who asked for one and an upstream that has none. */
export function replayMedia(answer: Buffer, operation: MediaOperation): Buffer {
  const whole = parseObject(answer)
  if (whole === undefined) return frame({ type: 'transcript.text.done', text: answer.toString() })
  if (isTranscript(operation)) return frame({ type: 'transcript.text.done', ...whole })
  const { data: _data, ...rest } = whole
  const type = operation === 'images' ? 'image_generation.completed' : 'image_edit.completed'
  return Buffer.concat(recordsAt(whole, 'data').map((picture) => frame({ type, ...rest, ...picture })))
}

function frame(event: JsonObject): Buffer {
  return Buffer.from(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
}
