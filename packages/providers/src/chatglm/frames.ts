import type { Frame } from '@tollgate/dialects/canonical/codec'
import type { Frames } from '@tollgate/dialects/canonical/frames'
import { NdjsonReader } from '@tollgate/dialects/framing/ndjson'
import { guarded, FRAME_BYTES_MAX } from '../define/frames.ts'

/**
 * Reads events whose data is the bare text, including spaces, and whose last event has a `meta:` line with
 * the usage. A text of several lines comes as several data lines. Each line becomes a frame, so that text is
 * not held back until its event ends.
 */
export function chatglmFrames(): Frames {
  const lines = new NdjsonReader({ lineBytesMax: FRAME_BYTES_MAX })
  const events = new EventLines()
  return guarded({
    push: (chunk) => lines.push(chunk).flatMap((line) => events.read(line.toString())),
    end: () => [...lines.end().flatMap((line) => events.read(line.toString())), ...events.end()],
  })
}

class EventLines {
  #event = ''
  #hasText = false
  #isOver = false

  read(line: string): Frame[] {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon)
    const value = line.slice(colon + 1).replace(/\r$/, '')
    if (name === 'event') {
      this.#event = value.trim()
      this.#hasText = false
    }
    if (name === 'data') return this.#data(value)
    if (name !== 'meta' || this.#event !== 'finish') return []
    this.#isOver = true
    return [{ event: 'finish', data: value }]
  }

  /** The usage may be missing; the stream is complete nevertheless. */
  end(): Frame[] {
    return this.#event === 'finish' && !this.#isOver ? [{ event: 'finish', data: '' }] : []
  }

  #data(value: string): Frame[] {
    const data = this.#hasText ? `\n${value}` : value
    this.#hasText = true
    return data === '' ? [] : [{ event: this.#event === 'finish' ? 'add' : this.#event, data }]
  }
}
