import type { Conversation, Message } from '@tollgate/dialects/canonical/conversation'
import type { Part, ToolCallPart } from '@tollgate/dialects/canonical/part'

/** Signatures by tool call id. */
export type KnownSignatures = ReadonlyMap<string, string>

/**
 * Thrown when tool calls in the history lack their vendor's signature. The caller that prepares the attempt
 * looks the signatures up and tries again.
 */
export class SignaturesNeeded extends Error {
  override readonly name = 'SignaturesWanted'
  readonly callIds: readonly string[]

  constructor(callIds: readonly string[]) {
    super('signatures are wanted for calls of tools')
    this.callIds = callIds
  }
}

/** Only the last calls are looked up, because a vendor checks only those. */
const CALLS_MAX = 256

/**
 * Adds to Gemini tool calls the signatures they originally came with. Throws {@link SignaturesWanted} until a
 * lookup was made.
 */
export function withSignatures(conversation: Conversation, known: KnownSignatures | undefined): Conversation {
  const unsigned = conversation.messages.flatMap(({ parts }) => parts.filter(isUnsigned))
  if (unsigned.length === 0) return conversation
  if (known === undefined) throw new SignaturesNeeded(unsigned.slice(-CALLS_MAX).map(({ id }) => id))
  if (known.size === 0) return conversation
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
