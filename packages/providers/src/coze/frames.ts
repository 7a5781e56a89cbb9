import type { Frame } from '@tollgate/dialects/canonical/codec'
import type { Frames } from '@tollgate/dialects/canonical/frames'
import { NdjsonReader } from '@tollgate/dialects/framing/ndjson'
import { FRAME_BYTES_MAX, guarded } from '../define/frames.ts'

const FIELD = /^(event|data): ?(.*?)\r?$/s

/**
 * Reads events whose data does not contain their type. The event name is needed to distinguish a delta from
 * the completed message.
 */
export function cozeFrames(): Frames {
  const lines = new NdjsonReader({ lineBytesMax: FRAME_BYTES_MAX })
  let event = ''
  function read(line: Buffer): Frame[] {
    const [, field, value = ''] = FIELD.exec(line.toString()) ?? []
    if (field === 'event') event = value
    return field === 'data' ? [{ event, data: value }] : []
  }
  return guarded({
    push: (chunk) => lines.push(chunk).flatMap(read),
    end: () => lines.end().flatMap(read),
  })
}
