import { problem } from '@tollgate/problems/problem'
import type { Conversation, Message } from '@tollgate/dialects/canonical/conversation'
import type { ModelTraits } from '@tollgate/dialects/traits/model-traits'

export const CONTINUE =
  'Continue your last message from exactly where it ends. Do not repeat any of it, and do not comment on this.'

/** Beginnings that force the form of the answer: a bracket, a tag or a code fence, and nothing that was said. */
const FORCED_FORM = /^(?:```[\w-]*|[[{(]+\s*(?:"[^"]*"?\s*:?\s*"?)?|<[a-z][\w-]*>)$/i

/**
 * For models that refuse a conversation which ends with their own turn: the caller's client was cut off, or
 * reached its limit of steps. The user's instruction to continue takes the place of the beginning. A beginning
 * that forces the form of the answer cannot be replaced by words, so it is refused.
 */
export function withContinuation(conversation: Conversation, { prefill }: ModelTraits): Conversation {
  const last = conversation.messages.findLast(({ role }) => role !== 'system' && role !== 'developer')
  if (prefill !== false || last?.role !== 'assistant') return conversation
  refuseForcedForm(textIn(last))
  const turn: Message = { role: 'user', parts: [{ type: 'text', text: CONTINUE }] }
  return { ...conversation, messages: [...conversation.messages, turn] }
}

export function refuseForcedForm(text: string): void {
  if (FORCED_FORM.test(text.trim()))
    throw problem('not_expressible', { feature: 'a prefilled beginning that forces the form of the answer' })
}

function textIn({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}
