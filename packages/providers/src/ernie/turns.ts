import { type Message, isSystem } from '@tollgate/dialects/canonical/conversation'

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** Placeholder where the vendor requires a text and there is none. */
const NOTHING = '...'

/**
 * Returns strictly alternating text messages, the first and last of them the user's, and the system texts
 * separately, in order.
 */
export function alternating(messages: readonly Message[]): {
  readonly system: string
  readonly messages: readonly Turn[]
} {
  const system = messages.filter(isSystem).map(textOf).filter(Boolean).join('\n')
  const turns: Turn[] = []
  for (const message of messages.filter((each) => !isSystem(each))) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const last = turns.at(-1)
    const content = textOf(message)
    if (last?.role === role) turns[turns.length - 1] = { role, content: `${last.content}\n${content}` }
    else turns.push({ role, content: content || NOTHING })
  }
  const first = turns[0]?.role === 'user' ? turns : [{ role: 'user' as const, content: NOTHING }, ...turns]
  return { system, messages: first }
}

export function textOf({ parts }: Pick<Message, 'parts'>): string {
  return parts
    .flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? [part.text] : []))
    .join('\n')
}
