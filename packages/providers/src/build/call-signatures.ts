import type { Conversation, Message } from '@tollgate/dialects/canonical/conversation'
import type { Part, ToolCallPart } from '@tollgate/dialects/canonical/part'

/** By the ids of calls. */
export type KnownSignatures = ReadonlyMap<string, string>

/** Thrown where calls came back without what their vendor signed: whoever prepares the call looks for it, and tries again. */
export class SignaturesWanted extends Error {
  override readonly name = 'SignaturesWanted'
  readonly callIds: readonly string[]

  constructor(callIds: readonly string[]) {
    super('signatures are wanted for calls of tools')
    this.callIds = callIds
  }
}

/** The last calls are those that a vendor checks. */
const CALLS_MAX = 256

/** Gemini's calls with the signatures they came with. Throws {@link SignaturesWanted} as long as none were looked for. */
export function withSignatures(conversation: Conversation, known: KnownSignatures | undefined): Conversation {
  const unsigned = conversation.messages.flatMap(({ parts }) => parts.filter(isUnsigned))
  if (unsigned.length === 0) return conversation
  if (known === undefined) throw new SignaturesWanted(unsigned.slice(-CALLS_MAX).map(({ id }) => id))
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
