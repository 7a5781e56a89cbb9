import { eventFrame } from '../stream/event-frame.ts'
import { parseObject, recordsAt } from '../json.ts'
import { isTranscript, type MediaOperation } from './operation.ts'

/**
 * Converts a whole response to a stream, for a caller that requested one and an upstream that does not
 * stream.
 */
export function replayMedia(answer: Buffer, operation: MediaOperation): Buffer {
  const whole = parseObject(answer)
  if (whole === undefined) return eventFrame({ type: 'transcript.text.done', text: answer.toString() })
  if (isTranscript(operation)) return eventFrame({ type: 'transcript.text.done', ...whole })
  const { data: _data, created, usage, ...rest } = whole
  const type = operation === 'images' ? 'image_generation.completed' : 'image_edit.completed'
  const pictures = recordsAt(whole, 'data').map((picture) => ({
    type,
    created_at: created,
    ...rest,
    ...picture,
  }))
  // The usage covers all images, so it is sent only once, with the last.
  return Buffer.concat(
    pictures.map((event, at) => eventFrame(at === pictures.length - 1 ? { ...event, usage } : event)),
  )
}
