import type { Frames } from '@tollgate/dialects/canonical/frames'
import { lineFrames } from '../define/frames.ts'

const FIELD = /^(event|data): ?(.*?)\r?$/s

/**
 * Reads events whose data does not contain their type. The event name is needed to distinguish a delta from
 * the completed message.
 */
export function cozeFrames(): Frames {
  let event = ''
  return lineFrames((line) => {
    const [, field, value = ''] = FIELD.exec(line) ?? []
    if (field === 'event') event = value
    return field === 'data' ? [{ event, data: value }] : []
  })
}
