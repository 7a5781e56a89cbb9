import type { Conversation, Message } from './conversation.ts'

/**
 * Claude Code starts its system prompt with a billing line for Anthropic, which differs from session to
 * session. For any other vendor it is noise, and it prevents prompt cache hits.
 */
const BILLING_HEADER = /^x-anthropic-billing-header:/

export function withoutBillingHeader(conversation: Conversation): Conversation {
  const [first, ...others] = conversation.messages
  const text = first?.role === 'system' ? first.parts[0] : undefined
  if (first === undefined || text?.type !== 'text' || !BILLING_HEADER.test(text.text)) return conversation
  return { ...conversation, messages: [...withoutFirstPart(first), ...others] }
}

function withoutFirstPart({ parts, ...message }: Message): readonly Message[] {
  const rest = parts.slice(1)
  return rest.length === 0 ? [] : [{ ...message, parts: rest }]
}
