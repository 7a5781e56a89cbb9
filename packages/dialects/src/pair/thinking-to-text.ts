import type { ReplyEvent } from '../canonical/event.ts'

/**
 * Moves reasoning into the text, between `<think>` tags, for callers that cannot display reasoning. One
 * instance per stream.
 */
export class ThinkingToText {
  #isInside = false

  push(event: ReplyEvent): readonly ReplyEvent[] {
    if (event.type === 'part-start' && event.opening.type === 'reasoning') return this.#open(event)
    if (!this.#isInside) return [event]
    if (event.type === 'signature-delta') return []
    if (event.type !== 'part-end') return [event]
    this.#isInside = false
    return [{ type: 'text-delta', choice: event.choice, part: event.part, text: '\n</think>\n' }, event]
  }

  #open(event: Extract<ReplyEvent, { type: 'part-start' }>): readonly ReplyEvent[] {
    this.#isInside = true
    const { choice, part } = event
    return [
      { ...event, opening: { type: 'text', text: '' } },
      { type: 'text-delta', choice, part, text: '<think>\n' },
    ]
  }
}
