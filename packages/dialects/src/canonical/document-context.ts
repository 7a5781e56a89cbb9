import type { Conversation } from './conversation.ts'
import type { Part } from './part.ts'

/** What a caller says about a document, as a text before it: for dialects that have no place for it beside the document. */
export function withContextSaid(conversation: Conversation): Conversation {
  const messages = conversation.messages.map((message) => ({
    ...message,
    parts: message.parts.flatMap(said),
  }))
  return { ...conversation, messages }
}

function said(part: Part): readonly Part[] {
  if (part.type === 'tool-result') return [{ ...part, parts: part.parts.flatMap(said) }]
  if (part.type !== 'file' || part.context === undefined) return [part]
  const { context, ...document } = part
  return [{ type: 'text', text: context }, document]
}
