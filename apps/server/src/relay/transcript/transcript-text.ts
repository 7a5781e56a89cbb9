import type { Conversation, Message } from '@tollgate/dialects/canonical/conversation'
import { conversations, type ConversationOperation, isConversation } from '@tollgate/dialects/conversations'
import type { Ask } from '@tollgate/dialects/dialect'
import { isMedia, type MediaOperation } from '@tollgate/dialects/media/operation'
import { redact } from '@tollgate/kit/redact'
import { promptsOf } from './legacy-completion.ts'
import { mediaQuestion } from './media-text.ts'
import { textOfParts } from './text-of-parts.ts'

/** Calls in which something is said. */
export type TranscriptOperation = ConversationOperation | 'completions' | MediaOperation

export function hasTranscript(operation: string): operation is TranscriptOperation {
  return operation === 'completions' || isConversation(operation) || isMedia(operation)
}

/** A call that is over, as far as its texts go. */
export interface TranscriptCall {
  readonly operation: TranscriptOperation
  readonly ask: Pick<Ask, 'body' | 'model' | 'isStream' | 'tree'>
  readonly answer: { readonly text: string; readonly isCut: boolean }
  /** Of all texts together. */
  readonly charactersMax: number
}

interface KeptMessage {
  readonly role: string
  readonly content: string
}

/** Members of a log row's `other`, under the names of the family and one of our own. */
export interface TranscriptText {
  readonly system_prompt?: string
  /** All messages but the system's and the last of the user, oldest first. */
  readonly context: readonly KeptMessage[] | null
  readonly input_content: KeptMessage | null
  readonly output_content: string
  /** How many places were taken out, and whether more was said than is here. */
  readonly text_kept: { readonly redacted: number; readonly is_cut: boolean }
}

/** More than a key is long: one that lies across the end of what is kept is still known for one. */
export const LOOK_AHEAD = 512

/**
 * What may be stored of what was said: without credentials and personal numbers, and no longer than allowed. Input and
 * answer have half of the room each; what they leave is the system prompt's, then the newest messages'.
 */
export function transcriptText({ operation, ask, answer, charactersMax }: TranscriptCall): TranscriptText {
  const room = new Room(charactersMax)
  const messages = readMessages(operation, ask)
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const asked = messages[at]
  const half = Math.floor(charactersMax / 2)
  const input = asked && { role: asked.role, content: room.take(textOfParts(asked.parts), half) }
  const output = room.take(answer.text, half)
  const systemPrompt = room.take(joined(messages.filter(isSystem)))
  const others = messages.filter((message, index) => index !== at && !isSystem(message))
  const context = contextOf(others, room)
  return {
    ...(systemPrompt !== '' && { system_prompt: systemPrompt }),
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

function isSystem({ role }: Message): boolean {
  return role === 'system' || role === 'developer'
}

function joined(messages: readonly Message[]): string {
  return messages.map(({ parts }) => textOfParts(parts)).join('\n')
}

/** An upstream of the caller's own dialect may have understood what our reader does not. */
function readMessages(
  operation: TranscriptOperation,
  { body, model, isStream }: TranscriptCall['ask'],
): readonly Message[] {
  if (operation === 'completions') return promptsOf(body)
  if (isMedia(operation)) return mediaQuestion(operation, body)
  let conversation: Conversation | undefined
  try {
    conversation = conversations[operation].caller.readConversation(body, { model, isStream })
  } catch {
    return []
  }
  return conversation.messages
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
