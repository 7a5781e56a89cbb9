import { argumentsText } from '../../canonical/arguments.ts'
import type { Message } from '../../canonical/conversation.ts'
import type { Part, ToolCallPart, ToolResultPart } from '../../canonical/part.ts'
import type { JsonObject } from '../../json.ts'
import type { SystemMessages } from '../../traits/model-traits.ts'
import { withJoinedTexts } from './joined-texts.ts'
import { writePart } from './parts.ts'
import { reasoningDetail } from './reasoning.ts'
import { withSystemPlaces } from './system-places.ts'

/**
 * Writes the messages. One turn may become several messages: each tool result is a message of its own, before
 * the other content of the turn.
 */
export function writeMessages(
  messages: readonly Message[],
  systemMessages: SystemMessages = 'anywhere',
): readonly JsonObject[] {
  return withSystemPlaces(messages.flatMap(writeMessage).map(withJoinedTexts), systemMessages)
}

function writeMessage(message: Message): JsonObject[] {
  if (message.role === 'assistant') return [writeAssistant(message)]
  // Many vendors support only the role `system`; those that support `developer` accept `system` as well.
  const role = message.role === 'developer' ? 'system' : message.role
  const results = message.parts.filter((part) => part.type === 'tool-result')
  const rest = [...mediaOf(results), ...message.parts.filter((part) => part.type !== 'tool-result')]
  const content = writeContent(rest)
  const turn = content === undefined ? [] : [{ role, content, name: message.name }]
  return [...results.map(writeResult), ...turn]
}

/** Returns `undefined` if there is no content. */
function writeContent(parts: readonly Part[]): readonly JsonObject[] | undefined {
  const written = parts.map(writePart).filter((part) => part !== undefined)
  return written.length === 0 ? undefined : written
}

/** Tool messages can only contain text; images and other media of a result follow in a user message. */
function writeResult(result: ToolResultPart): JsonObject {
  const texts = result.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const content = texts.join('\n')
  return {
    role: 'tool',
    tool_call_id: result.callId,
    content: result.isError === true && content === '' ? 'error' : content,
    name: result.name,
  }
}

function mediaOf(results: readonly ToolResultPart[]): readonly Part[] {
  return results.flatMap(({ parts }) => parts.filter((part) => part.type !== 'text'))
}

function writeAssistant({ parts, name }: Message): JsonObject {
  const { content, refusal } = writeSaid(parts)
  const calls = parts.filter((part) => part.type === 'tool-call')
  return {
    role: 'assistant',
    content: content ?? null,
    ...writeReasoning(parts),
    name,
    refusal,
    audio: writeSpoken(parts),
    tool_calls: calls.length > 0 ? calls.map(writeCall) : undefined,
  }
}

function writeSaid(parts: readonly Part[]) {
  const texts = parts.filter((part) => part.type === 'text')
  const refusals = parts.flatMap((part) => (part.type === 'refusal' ? [part.text] : []))
  return {
    content: writeContent(texts),
    refusal: refusals.length === 0 ? undefined : refusals.join(''),
  }
}

export function writeReasoning(parts: readonly Part[]): JsonObject {
  const text = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('')
  const details = parts
    .filter((part) => part.type === 'reasoning' || part.type === 'redacted-reasoning')
    .map(reasoningDetail)
    .filter((detail) => detail !== undefined)
  return {
    reasoning_content: text !== '' ? text : undefined,
    reasoning_details: details.length > 0 ? details : undefined,
  }
}

export function writeCall(call: ToolCallPart): JsonObject {
  const { id, name } = call
  if (call.kind === 'custom') return { id, type: 'custom', custom: { name, input: call.arguments } }
  return { id, type: 'function', function: { name, arguments: argumentsText(call) } }
}

function writeSpoken(parts: readonly Part[]): JsonObject | undefined {
  for (const part of parts) {
    if (part.type === 'audio' && part.source.type === 'id' && part.source.dialect === 'openai') {
      return { id: part.source.id }
    }
  }
  return undefined
}
