import type { Finish, FinishReason, Reading } from '../dialect.ts'
import { TokenEstimate } from '../tokens/estimate.ts'
import type { ReplyEvent } from './event.ts'
import type { Part } from './part.ts'
import type { ChoiceEnd, EndReason, Reply } from './reply.ts'
import { replyToEvents } from './split.ts'

/** Estimated tokens of a tool call in addition to its name and arguments. */
const TOKENS_PER_TOOL_CALL = 7

/** Parts that a caller can use although they contain no text. */
const IS_DATA: ReadonlySet<Part['type']> = new Set(['image', 'audio', 'search', 'opaque'])

/** Estimates output tokens while the events of a stream pass. */
export class OutputCount {
  readonly #estimate = new TokenEstimate()
  #calls = 0
  #hasData = false

  push(event: ReplyEvent): void {
    if (event.type === 'text-delta' || event.type === 'arguments-delta') this.#estimate.addText(event.text)
    else if (event.type === 'part-start') this.#open(event.opening)
    else if (event.type === 'audio-delta') {
      this.#hasData ||= event.base64 !== ''
      this.#estimate.addText(event.transcript)
    }
  }

  get tokens(): number {
    return this.#estimate.tokens + this.#calls * TOKENS_PER_TOOL_CALL
  }

  /** Whether anything that a caller could use has passed. */
  get hasOutput(): boolean {
    return this.#hasData || this.tokens > 0
  }

  #open(part: Part): void {
    this.#estimate.separate()
    if (part.type === 'tool-call') {
      this.#calls++
      this.#estimate.addText(part.name)
    } else if (IS_DATA.has(part.type)) this.#hasData = true
  }
}

const finishReasons: Readonly<Record<EndReason, FinishReason>> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'context-full': 'length',
  'tool-calls': 'tool_calls',
  refusal: 'content_filter',
  filtered: 'content_filter',
  paused: 'stop',
  other: 'other',
}

/** Converts the end of a choice to the form used for settlement and log rows. */
export function finishOf({ reason, raw }: ChoiceEnd): Finish {
  return { reason: finishReasons[reason], raw }
}

export function readingOf(reply: Reply): Reading {
  const count = new OutputCount()
  for (const event of replyToEvents(reply)) count.push(event)
  const end = reply.choices[0]?.end
  return {
    usage: reply.usage,
    finish: end && finishOf(end),
    outputTokensCounted: count.tokens,
    hasOutput: count.hasOutput,
    isComplete: true,
    replyId: reply.id,
    model: reply.model,
    error: undefined,
  }
}
