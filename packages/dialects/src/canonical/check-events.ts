import type { ReplyEvent } from './event.ts'
import type { Part } from './part.ts'

/**
 * Checks a stream of events against the rules in `event.ts`. Readers are tested with it, and writers may rely
 * on those rules. `push` and `end` return a description of the violation, or `undefined`.
 */
export class EventCheck {
  readonly #choices = new Map<number, ChoiceState>()
  #state: 'before' | 'open' | 'ended' = 'before'
  #hasUsage = false

  push(event: ReplyEvent): string | undefined {
    if (this.#state === 'ended') return `${event.type} after the end`
    // An upstream may fail before its first event.
    if (event.type === 'error') this.#state = 'ended'
    else if (event.type === 'reply-start') return this.#start()
    else if (this.#state === 'before') return `${event.type} before reply-start`
    else if (event.type === 'usage') return this.#usage()
    else if (event.type === 'reply-end') return this.#endReply()
    else return this.#inChoice(event)
    return undefined
  }

  /** Call when no more events will come. */
  end(): string | undefined {
    return this.#state === 'ended' ? undefined : 'no end: the stream was cut off'
  }

  #start(): string | undefined {
    if (this.#state === 'open') return 'a second reply-start'
    this.#state = 'open'
    return undefined
  }

  #usage(): string | undefined {
    if (this.#hasUsage) return 'a second usage'
    this.#hasUsage = true
    return undefined
  }

  #endReply(): string | undefined {
    this.#state = 'ended'
    const open = [...this.#choices].filter(([, choice]) => !choice.hasEnded).map(([index]) => index)
    return open.length > 0 ? `reply-end while choice ${open.join(', ')} has not ended` : undefined
  }

  #inChoice(event: EventInChoice): string | undefined {
    const choice = this.#choices.get(event.choice) ?? { parts: 0, open: undefined, hasEnded: false }
    this.#choices.set(event.choice, choice)
    if (choice.hasEnded) return `${event.type} after the end of choice ${event.choice}`
    const wrong = wrongIn(choice, event)
    if (wrong === undefined) advance(choice, event)
    return wrong
  }
}

/** Returns all violations in a finished stream; empty if there are none. */
export function violations(events: readonly ReplyEvent[]): string[] {
  const check = new EventCheck()
  const found = events.map((event) => check.push(event))
  return [...found, check.end()].filter((text) => text !== undefined)
}

type EventInChoice = Extract<ReplyEvent, { choice: number }>

interface ChoiceState {
  /** Number of parts started so far. */
  parts: number
  open: Part['type'] | undefined
  hasEnded: boolean
}

/** The part types that each delta type may be applied to. */
const fills: Partial<Readonly<Record<EventInChoice['type'], readonly Part['type'][]>>> = {
  'text-delta': ['text', 'reasoning', 'refusal'],
  'arguments-delta': ['tool-call'],
  'audio-delta': ['audio'],
  'signature-delta': ['reasoning', 'tool-call'],
  'citation-delta': ['text'],
}

function wrongIn(choice: ChoiceState, event: EventInChoice): string | undefined {
  if (event.type === 'choice-end') {
    return choice.open === undefined ? undefined : `choice ${event.choice} ended with a part open`
  }
  const name = `part ${event.part} of choice ${event.choice}`
  if (event.type === 'part-start') {
    if (choice.open !== undefined) return `${name} started while another is open`
    return event.part === choice.parts ? undefined : `${name} started, ${choice.parts} was due`
  }
  if (choice.open === undefined || event.part !== choice.parts - 1)
    return `${event.type} for ${name}, not open`
  const kinds = fills[event.type]
  return kinds === undefined || kinds.includes(choice.open)
    ? undefined
    : `${event.type} in a part of type ${choice.open}`
}

function advance(choice: ChoiceState, event: EventInChoice): void {
  if (event.type === 'part-start') {
    choice.parts++
    choice.open = event.opening.type
  } else if (event.type === 'part-end') choice.open = undefined
  else if (event.type === 'choice-end') choice.hasEnded = true
}
