import { type Message, isSystem } from '@tollgate/dialects/canonical/conversation'
import { redact } from '@tollgate/kit/redact'
import { textOfParts } from './text-of-parts.ts'
import type { TranscriptAsk, TranscriptReader } from './transcript-reader.ts'

/** What is needed of a finished call to keep its texts. */
export interface TranscriptCall {
  readonly reader: TranscriptReader
  readonly ask: TranscriptAsk
  readonly answer: { readonly text: string; readonly isCut: boolean }
  /** Limit for all texts of a call together. */
  readonly charactersMax: number
}

interface KeptMessage {
  readonly role: string
  readonly content: string
}

/** Members of a log row's `other`. The names are those of new-api, except `text_kept`. */
export interface TranscriptText {
  readonly system_prompt?: string
  /** All messages except system messages and the last user message, oldest first. */
  readonly context: readonly KeptMessage[] | null
  readonly input_content: KeptMessage | null
  readonly output_content: string
  /** The number of redacted places, and whether text was cut off. */
  readonly text_kept: { readonly redacted: number; readonly is_cut: boolean }
}

/** Longer than a key, so that a key crossing the end of the kept text is still recognised. */
export const LOOK_AHEAD = 512

/**
 * The texts that may be stored: without credentials and personal numbers, and limited in length. Input and
 * output may each take half of the limit; the remaining room goes to the system prompt, then to the newest
 * other messages.
 */
export function transcriptText({ reader, ask, answer, charactersMax }: TranscriptCall): TranscriptText {
  const room = new Room(charactersMax)
  const messages = readMessages(reader, ask)
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const asked = messages[at]
  const half = Math.floor(charactersMax / 2)
  const input = asked && { role: asked.role, content: room.take(textOfParts(asked.parts), half) }
  const output = room.take(answer.text, half)
  const systemPrompt = room.take(joined(messages.filter(isSystem)))
  const others = messages.filter((message, index) => index !== at && !isSystem(message))
  const context = contextOf(others, room)
  return {
    system_prompt: systemPrompt === '' ? undefined : systemPrompt,
    context: context.length > 0 ? context : null,
    input_content: input ?? null,
    output_content: output,
    text_kept: { redacted: room.found, is_cut: room.isCut || answer.isCut },
  }
}

function contextOf(messages: readonly Message[], room: Room): readonly KeptMessage[] {
  const context: KeptMessage[] = []
  for (const { role, parts } of messages.toReversed()) {
    if (room.isFull) {
      room.isCut = true
      break
    }
    context.push({ role, content: room.take(textOfParts(parts)) })
  }
  return context.reverse()
}

function joined(messages: readonly Message[]): string {
  return messages.map(({ parts }) => textOfParts(parts)).join('\n')
}

/**
 * An unreadable conversation counts as empty: an upstream of the caller's own dialect may accept requests
 * that the gateway's parser does not.
 */
function readMessages(reader: TranscriptReader, ask: TranscriptAsk): readonly Message[] {
  try {
    return reader.messages(ask)
  } catch {
    return []
  }
}

class Room {
  #left: number
  found = 0
  isCut = false

  constructor(charactersMax: number) {
    this.#left = charactersMax
  }

  get isFull(): boolean {
    return this.#left <= 0
  }

  take(text: string, most = this.#left): string {
    const max = Math.min(most, this.#left)
    const seen = redact(text.slice(0, max + LOOK_AHEAD))
    const kept = seen.text.slice(0, max)
    this.found += seen.found
    this.isCut ||= text.length > max + LOOK_AHEAD || seen.text.length > max
    this.#left -= kept.length
    return kept.isWellFormed() ? kept : kept.toWellFormed()
  }
}
