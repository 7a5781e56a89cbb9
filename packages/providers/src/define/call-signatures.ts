import type { Conversation, Message } from '@tollgate/dialects/canonical/conversation'
import type { Part, ToolCallPart } from '@tollgate/dialects/canonical/part'

/** Signatures by tool call id. */
export type KnownSignatures = ReadonlyMap<string, string>

/** Only the last calls are looked up, because a vendor checks only those. */
const CALLS_MAX = 256

/** The last Gemini tool calls of a conversation that lack the signatures they originally came with. */
export function unsignedCalls({ messages }: Conversation): readonly string[] {
  const unsigned = messages.flatMap(({ parts }) => parts.filter(isUnsigned))
  return unsigned.slice(-CALLS_MAX).map(({ id }) => id)
}

export function withSignatures(conversation: Conversation, known?: KnownSignatures): Conversation {
  if (known === undefined || known.size === 0) return conversation
  return { ...conversation, messages: conversation.messages.map((message) => signed(message, known)) }
}

function isUnsigned(part: Part): part is ToolCallPart {
  return part.type === 'tool-call' && part.signature?.dialect !== 'gemini'
}

function signed(message: Message, known: KnownSignatures): Message {
  const parts = message.parts.map((part) => {
    const value = isUnsigned(part) ? known.get(part.id) : undefined
    return value === undefined ? part : { ...part, signature: { dialect: 'gemini' as const, value } }
  })
  return { ...message, parts }
}
