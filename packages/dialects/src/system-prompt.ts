import { editedAsk } from './ask-edit.ts'
import { isConversation, type CallOperation, type ConversationOperation } from './conversations.ts'
import type { Ask } from './dialect.ts'
import { isRecord, recordAt, recordsAt, type JsonObject } from './json.ts'

/** What an operator says to every model of a channel. */
export interface SystemPrompt {
  readonly text: string
  /** Also before a system text of the caller's own; otherwise only where there is none. */
  readonly goesFirst: boolean
}

export interface Prompted {
  readonly ask: Ask
  /** The caller had said something of the kind, and the operator's words stand before it. */
  readonly isOverwritten: boolean
}

/** The same call with the operator's words in it; the very ask when nothing is to be said. All other bytes stay. */
export function withSystemPrompt(operation: CallOperation, ask: Ask, prompt: SystemPrompt): Prompted {
  const written =
    isConversation(operation) && prompt.text !== '' ? writers[operation](ask.body, prompt) : undefined
  if (written === undefined) return { ask, isOverwritten: false }
  const { set, isOverwritten } = written
  return { ask: editedAsk(ask, { set }), isOverwritten }
}

interface Written {
  /** The members that change. */
  readonly set: JsonObject
  readonly isOverwritten: boolean
}

/** As each dialect has it. */
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
    const name = isRecord(body['system_instruction']) ? 'system_instruction' : 'systemInstruction'
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

function isSystem({ role }: JsonObject): boolean {
  return role === 'system' || role === 'developer'
}

function isSaid(content: unknown): boolean {
  return Array.isArray(content) ? content.length > 0 : content !== undefined && content !== ''
}

function before(content: unknown, text: string, partType: string): unknown {
  if (Array.isArray(content)) return [{ type: partType, text }, ...content]
  return typeof content === 'string' && content !== '' ? `${text}\n${content}` : text
}
