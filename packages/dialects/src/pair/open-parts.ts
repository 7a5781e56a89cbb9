import type { ReplyEvent } from '../canonical/event.ts'
import type { ChoiceEnd } from '../canonical/reply.ts'

/** Tracks which parts and choices of a stream are open, so that it can be ended properly at any moment. */
export class OpenParts {
  readonly #choices = new Map<number, { part: number | undefined; hasEnded: boolean }>()
  #hasStarted = false
  #ended = 0

  push(event: ReplyEvent): void {
    if (event.type === 'reply-start') this.#hasStarted = true
    if (!('choice' in event)) return
    const choice = this.#choices.get(event.choice) ?? { part: undefined, hasEnded: false }
    this.#choices.set(event.choice, choice)
    if (event.type === 'part-start') choice.part = event.part
    else if (event.type === 'part-end') choice.part = undefined
    else if (event.type === 'choice-end' && !choice.hasEnded) {
      choice.hasEnded = true
      this.#ended++
    }
  }

  /** Number of choices that have ended. */
  get ended(): number {
    return this.#ended
  }

  get hasStarted(): boolean {
    return this.#hasStarted
  }

  /** Choices that have begun but not ended, with the open part of each. */
  get open(): readonly { readonly choice: number; readonly part: number | undefined }[] {
    return [...this.#choices]
      .filter(([, { hasEnded }]) => !hasEnded)
      .map(([choice, { part }]) => ({ choice, part }))
  }
}

/**
 * Returns the events that end an unfinished stream: open parts are closed, and open choices end with the
 * given reason.
 */
export function closingEvents(parts: OpenParts, end: ChoiceEnd): ReplyEvent[] {
  if (!parts.hasStarted) return []
  const closing = parts.open.flatMap(({ choice, part }): ReplyEvent[] => [
    ...(part === undefined ? [] : [{ type: 'part-end' as const, choice, part }]),
    { type: 'choice-end', choice, end },
  ])
  return [...closing, { type: 'reply-end' }]
}
