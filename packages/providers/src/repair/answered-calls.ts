import type { Conversation, Message } from '@tollgate/dialects/canonical/conversation'
import type { Part, ToolCallPart, ToolResultPart } from '@tollgate/dialects/canonical/part'

/** What the model reads in place of a result that no client sent. */
const MISSING_RESULT = 'The call was interrupted; there is no result.'

/**
 * Puts the results of every call right after it, as strict vendors require. Interrupted runs leave calls
 * without a result, and those get one that says so. Some servers use an id again in every turn; the later
 * calls and their results get ids of their own. Returns the same object when nothing has to change.
 */
export function withAnsweredCalls(conversation: Conversation): Conversation {
  const { messages } = conversation
  const pairs = pairResults(messages)
  if (pairs.ids.size === 0 && isAnswered(messages, pairs)) return conversation
  const moved = new Set<Part>(pairs.results.values())
  const written: Message[] = []
  let waiting: ToolCallPart[] = []
  const answer = () => {
    if (waiting.length > 0)
      written.push({ role: 'user', parts: waiting.map((call) => resultFor(call, pairs)) })
    waiting = []
  }
  for (const message of messages) {
    if (message.role === 'assistant') waiting.push(...message.parts.filter(isCall))
    else answer()
    const parts = message.parts.filter((part) => !moved.has(part)).map((part) => withOwnId(part, pairs))
    if (parts.length > 0 || message.parts.length === 0) written.push({ ...message, parts })
  }
  answer()
  return { ...conversation, messages: written }
}

interface ResultPairs {
  readonly results: ReadonlyMap<ToolCallPart, ToolResultPart>
  /** New ids of calls whose id an earlier call has. */
  readonly ids: ReadonlyMap<ToolCallPart, string>
}

/** A result belongs to the latest call of its id that has none yet. */
function pairResults(messages: readonly Message[]): ResultPairs {
  const results = new Map<ToolCallPart, ToolResultPart>()
  const ids = new Map<ToolCallPart, string>()
  const open = new Map<string, ToolCallPart>()
  const parts = messages.flatMap((message) => message.parts)
  const used = new Set(parts.filter(isCall).map(({ id }) => id))
  const seen = new Set<string>()
  const numbers = new Map<string, number>()
  for (const part of parts) {
    if (part.type === 'tool-call') {
      if (seen.has(part.id)) ids.set(part, takeUnusedId(part.id, used, numbers))
      seen.add(part.id)
      open.set(part.id, part)
    }
    const call = part.type === 'tool-result' ? open.get(part.callId) : undefined
    if (part.type !== 'tool-result' || call === undefined) continue
    results.set(call, part)
    open.delete(part.callId)
  }
  return { results, ids }
}

/** `numbers`: the last number that was tried for each id, so that thousands of one id are not tried again. */
function takeUnusedId(id: string, used: Set<string>, numbers: Map<string, number>): string {
  let number = (numbers.get(id) ?? 1) + 1
  while (used.has(`${id}_${number}`)) number += 1
  numbers.set(id, number)
  used.add(`${id}_${number}`)
  return `${id}_${number}`
}

/** Whether all results of a turn follow it, before any other message. */
function isAnswered(messages: readonly Message[], { results }: ResultPairs): boolean {
  const waiting = new Set<Part>()
  let isInterrupted = false
  for (const { role, parts } of messages) {
    if (role === 'assistant') {
      if (isInterrupted && waiting.size > 0) return false
      isInterrupted = false
      for (const call of parts.filter(isCall)) {
        const result = results.get(call)
        if (result === undefined) return false
        waiting.add(result)
      }
      continue
    }
    const before = waiting.size
    for (const part of parts) waiting.delete(part)
    isInterrupted ||= waiting.size === before
    if (isInterrupted && waiting.size > 0) return false
  }
  return waiting.size === 0
}

function isCall(part: Part): part is ToolCallPart {
  return part.type === 'tool-call'
}

function resultFor(call: ToolCallPart, { results, ids }: ResultPairs): ToolResultPart {
  const callId = ids.get(call) ?? call.id
  const result = results.get(call)
  if (result !== undefined) return result.callId === callId ? result : { ...result, callId }
  const parts = [{ type: 'text', text: MISSING_RESULT } as const]
  return { type: 'tool-result', callId, name: call.name, parts, isError: true }
}

function withOwnId(part: Part, { ids }: ResultPairs): Part {
  const id = isCall(part) ? ids.get(part) : undefined
  return isCall(part) && id !== undefined ? { ...part, id } : part
}
