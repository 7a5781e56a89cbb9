import type { ReplyEvent } from './event.ts'
import type { Citation, Part, TokenLogprob } from './part.ts'
import type { Raw } from './raw.ts'
import type { ChoiceEnd } from './reply.ts'

/**
 * Creates the events of one choice, numbers its parts and keeps one part open at a time. Readers call it in
 * the order in which things arrive.
 */
export class PartSequence {
  readonly #choice: number
  #part = -1
  #key: string | undefined
  hasEnded = false

  constructor(choice = 0) {
    this.#choice = choice
  }

  /** Key under which the open part was entered; `undefined` if no part is open. */
  get open(): string | undefined {
    return this.#key
  }

  /** Continues the open part if it has this key; otherwise closes it and starts a new one. */
  enter(key: string, opening: Part): ReplyEvent[] {
    if (this.#key === key) return []
    const closed = this.close()
    this.#part++
    this.#key = key
    return [...closed, { type: 'part-start', ...this.#place(), opening }]
  }

  /** Adds a part that does not stream. */
  whole(part: Part): ReplyEvent[] {
    const started = this.enter('', part)
    return [...started, ...this.close()]
  }

  text(text: string, logprobs?: readonly TokenLogprob[]): ReplyEvent[] {
    if (text === '') return []
    return [{ type: 'text-delta', ...this.#place(), text, logprobs }]
  }

  arguments(text: string): ReplyEvent[] {
    return text === '' ? [] : [{ type: 'arguments-delta', ...this.#place(), text }]
  }

  signature(signature: Raw<string>): ReplyEvent[] {
    return [{ type: 'signature-delta', ...this.#place(), signature }]
  }

  audio(said: { readonly base64: string; readonly transcript: string }): ReplyEvent[] {
    return [{ type: 'audio-delta', ...this.#place(), ...said }]
  }

  citation(citation: Citation): ReplyEvent[] {
    return [{ type: 'citation-delta', ...this.#place(), citation }]
  }

  close(): ReplyEvent[] {
    if (this.#key === undefined) return []
    this.#key = undefined
    return [{ type: 'part-end', ...this.#place() }]
  }

  /** Closes the open part and ends the choice with its reason. Only the first call has an effect. */
  end(end: ChoiceEnd): ReplyEvent[] {
    if (this.hasEnded) return []
    this.hasEnded = true
    return [...this.close(), { type: 'choice-end', choice: this.#choice, end }]
  }

  #place(): { readonly choice: number; readonly part: number } {
    return { choice: this.#choice, part: this.#part }
  }
}
