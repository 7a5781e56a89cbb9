import type { Frame } from '@tollgate/dialects/canonical/codec'
import type { Frames } from '@tollgate/dialects/canonical/frames'
import { lineFrames } from '../define/frames.ts'

/**
 * Reads events whose data is the bare text, including spaces, and whose last event has a `meta:` line with
 * the usage. A text of several lines comes as several data lines. Each line becomes a frame, so that text is
 * not held back until its event ends.
 */
export function chatglmFrames(): Frames {
  const events = new EventLines()
  return lineFrames(
    (line) => events.read(line),
    () => events.end(),
  )
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
