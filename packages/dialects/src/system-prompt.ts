import { isSystem } from './canonical/conversation.ts'
import { editedAsk } from './ask-edit.ts'
import { isConversation, type CallOperation, type ConversationOperation } from './conversations.ts'
import type { Ask } from './dialect.ts'
import { spellingIn } from './gemini/members.ts'
import { recordAt, recordsAt, type JsonObject } from './json.ts'

/** System prompt that an operator sets for all requests of a channel. */
export interface SystemPrompt {
  readonly text: string
  /**
   * Whether it is prepended to a system prompt of the caller; if not, it is only used when the caller sent
   * none.
   */
  readonly goesFirst: boolean
}

export interface Prompted {
  readonly ask: Ask
  /** Whether the caller had sent a system prompt, and the operator's was prepended to it. */
  readonly isOverwritten: boolean
}

/**
 * Returns the request with the operator's system prompt; the same object if nothing has to be added. All
 * other bytes stay unchanged.
 */
export function withSystemPrompt(operation: CallOperation, ask: Ask, prompt: SystemPrompt): Prompted {
  const written =
    isConversation(operation) && prompt.text !== '' ? writers[operation](ask.body, prompt) : undefined
  if (written === undefined) return { ask, isOverwritten: false }
  const { set, isOverwritten } = written
  return { ask: editedAsk(ask, { set }), isOverwritten }
}

interface Written {
  readonly set: JsonObject
  readonly isOverwritten: boolean
}

const writers: Readonly<
  Record<ConversationOperation, (body: JsonObject, prompt: SystemPrompt) => Written | undefined>
> = {
  chat: (body, { text, goesFirst }) => {
    const messages = recordsAt(body, 'messages')
    const at = messages.findIndex(isSystem)
    const own = messages[at]
    if (own === undefined) return added({ messages: [{ role: 'system', content: text }, ...messages] })
    if (!goesFirst) return undefined
    const content = before(own['content'], text, 'text')
    return overwritten({ messages: messages.with(at, { ...own, content }) })
  },
  messages: (body, { text, goesFirst }) => {
    const own = body['system'] ?? undefined
    if (!isSaid(own)) return added({ system: text })
    return goesFirst ? overwritten({ system: before(own, text, 'text') }) : undefined
  },
  responses: (body, { text, goesFirst }) => {
    const own = body['instructions'] ?? undefined
    const isSaidInside = recordsAt(body, 'input').some(isSystem)
    if (!isSaid(own) && !isSaidInside) return added({ instructions: text })
    return goesFirst ? overwritten({ instructions: before(own, text, 'input_text') }) : undefined
  },
  generate: (body, { text, goesFirst }) => {
    const name = spellingIn(body, 'systemInstruction')
    const own = recordAt(body, name)
    const parts = recordsAt(own ?? {}, 'parts')
    const set = { [name]: { ...own, parts: [{ text }, ...parts] } }
    if (parts.length === 0) return added(set)
    return goesFirst ? overwritten(set) : undefined
  },
}

function added(set: JsonObject): Written {
  return { set, isOverwritten: false }
}

function overwritten(set: JsonObject): Written {
  return { set, isOverwritten: true }
}

function isSaid(content: unknown): boolean {
  return Array.isArray(content) ? content.length > 0 : content !== undefined && content !== ''
}

function before(content: unknown, text: string, partType: string): unknown {
  if (Array.isArray(content)) return [{ type: partType, text }, ...content]
  return typeof content === 'string' && content !== '' ? `${text}\n${content}` : text
}
