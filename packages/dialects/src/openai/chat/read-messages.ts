import { ownValue } from '@tollgate/kit/own-value'
import { problem } from '@tollgate/problems/problem'
import type { Message } from '../../canonical/conversation.ts'
import { recordsOf } from '../../canonical/members.ts'
import type { Part, ToolCallPart } from '../../canonical/part.ts'
import { recordAt, recordsAt, textAt, type JsonObject } from '../../json.ts'
import { readCallSignature } from './call-signature.ts'
import { readCache } from '../../canonical/cache-marker.ts'
import { readContent } from './parts.ts'
import { readReasoning } from './reasoning.ts'

export function readMessages(body: JsonObject): readonly Message[] {
  return recordsOf(body, 'messages').map(readMessage)
}

function readMessage(message: JsonObject): Message {
  const role = textAt(message, 'role') ?? 'user'
  const read = ownValue(roles, role)
  if (read === undefined) throw problem('member_invalid', { param: 'role' })
  const { role: asked, parts } = read(message)
  // In a tool result `name` is the name of the tool and belongs to the part, not to the message.
  const name = parts.some((part) => part.type === 'tool-result') ? undefined : textAt(message, 'name')
  return { role: asked, parts, name, cache: readCache(message) }
}

const roles: Readonly<Record<string, (message: JsonObject) => Pick<Message, 'role' | 'parts'>>> = {
  system: (message) => ({ role: 'system', parts: readContent(message['content']) }),
  developer: (message) => ({ role: 'developer', parts: readContent(message['content']) }),
  user: (message) => ({ role: 'user', parts: readContent(message['content']) }),
  assistant: (message) => ({
    role: 'assistant',
    parts: [
      ...readReasoning(message),
      ...readContent(message['content']),
      ...readRefusal(message),
      ...readSpoken(message),
      ...readCalls(message),
    ],
  }),
  tool: (message) => ({ role: 'user', parts: [readResult(message, textAt(message, 'tool_call_id'))] }),
  function: (message) => ({ role: 'user', parts: [readResult(message, legacyId(message))] }),
}

export function readRefusal(message: JsonObject): readonly Part[] {
  const text = textAt(message, 'refusal')
  return text === undefined ? [] : [{ type: 'refusal', text }]
}

/** Audio of an earlier answer, which callers send back by id only. */
function readSpoken(message: JsonObject): readonly Part[] {
  const id = textAt(recordAt(message, 'audio') ?? {}, 'id')
  return id === undefined ? [] : [{ type: 'audio', source: { type: 'id', id, dialect: 'openai' } }]
}

/**
 * Reads the complete calls of a message, from the history of a request or from a response. The older
 * `function_call` allows one call, without an id.
 */
export function readCalls(message: JsonObject): readonly ToolCallPart[] {
  const calls = recordsAt(message, 'tool_calls').map(readCall)
  const older = recordAt(message, 'function_call')
  if (calls.length > 0 || older === undefined) return calls
  return [{ ...namedCall(older, legacyId(older)), kind: 'function' }]
}

function readCall(call: JsonObject, index: number): ToolCallPart {
  const id = textAt(call, 'id') ?? `call_${index}`
  const custom = recordAt(call, 'custom')
  if (custom !== undefined) {
    const { name } = namedCall(custom, id)
    return { type: 'tool-call', id, name, arguments: textAt(custom, 'input') ?? '', kind: 'custom' }
  }
  const named = namedCall(recordAt(call, 'function') ?? {}, id)
  return { ...named, kind: 'function', signature: readCallSignature(call) }
}

function namedCall(body: JsonObject, id: string): Omit<ToolCallPart, 'kind'> {
  const written = body['arguments']
  // Some vendors send arguments as an object instead of a string.
  const text = typeof written === 'string' ? written : written === undefined ? '' : JSON.stringify(written)
  return { type: 'tool-call', id, name: textAt(body, 'name') ?? '', arguments: text }
}

function readResult(message: JsonObject, callId: string | undefined): Part {
  if (callId === undefined) throw problem('member_missing', { param: 'tool_call_id' })
  return {
    type: 'tool-result',
    callId,
    parts: readContent(message['content']),
    name: textAt(message, 'name'),
  }
}

function legacyId(named: JsonObject): string {
  return `call_${textAt(named, 'name') ?? ''}`
}
