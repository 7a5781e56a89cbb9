import type { Conversation, Message } from './conversation.ts'

/**
 * Claude Code begins its system text with a line for Anthropic's own books, which differs from session to session. To
 * another vendor it is text that nobody wants, and it keeps prompt caches from matching.
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
