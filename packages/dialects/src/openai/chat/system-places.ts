import { isSystem } from '../../canonical/conversation.ts'
import { isRecord, type JsonObject } from '../../json.ts'
import type { SystemMessages } from '../../traits/model-traits.ts'
import { BETWEEN_TEXTS } from './joined-texts.ts'

/**
 * Moves system messages to where the chat templates of many open models accept them: a single one, at the
 * start. Leading ones are merged. Later ones become a user message with a `<system-reminder>` in the same
 * place, so that the earlier messages do not change between requests and prompt caches still match; with
 * `hoisted` they are merged into the first message instead. Returns the same array if nothing has to change.
 * https://github.com/vllm-project/vllm/issues/41114
 */
export function withSystemPlaces<M extends JsonObject>(
  messages: readonly M[],
  places: SystemMessages,
): readonly (M | JsonObject)[] {
  if (places === 'anywhere') return messages
  const opening = openingOf(messages)
  const later = messages.slice(opening)
  if (opening < 2 && !later.some(isSystem)) return messages
  const first = messages.slice(0, opening)
  if (places === 'reminders') return [...merged(first), ...reminded(later)]
  return [...merged([...first, ...later.filter(isSystem)]), ...later.filter((message) => !isSystem(message))]
}

/** Number of leading system messages. */
function openingOf(messages: readonly JsonObject[]): number {
  const first = messages.findIndex((message) => !isSystem(message))
  return first === -1 ? messages.length : first
}

function merged(messages: readonly JsonObject[]): readonly JsonObject[] {
  const [first, ...others] = messages
  if (first === undefined || others.length === 0) return messages
  return [{ ...first, content: joined(messages.map(({ content }) => content)) }]
}

function joined(contents: readonly unknown[]): unknown {
  if (contents.every((content) => typeof content === 'string'))
    return contents.filter((text) => text !== '').join(BETWEEN_TEXTS)
  return contents.flatMap(partsOf)
}

function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [textPart(content)]
  return Array.isArray(content) ? content : []
}

/** Tool results must directly follow their calls, so a reminder between them is placed after the last one. */
function reminded(messages: readonly JsonObject[]): readonly JsonObject[] {
  const written: JsonObject[] = []
  let waiting: JsonObject[] = []
  let isAfterCalls = false
  for (const message of messages) {
    if (isSystem(message)) {
      ;(isAfterCalls ? waiting : written).push(reminder(message))
      continue
    }
    if (message['role'] === 'tool') written.push(message)
    else {
      for (const each of waiting) written.push(each)
      written.push(message)
      waiting = []
    }
    isAfterCalls = message['role'] === 'tool' ? isAfterCalls : hasCalls(message)
  }
  return [...written, ...waiting]
}

function hasCalls({ tool_calls: calls }: JsonObject): boolean {
  return Array.isArray(calls) && calls.length > 0
}

const OPEN = '<system-reminder>\n'
const CLOSE = '\n</system-reminder>'

function reminder({ content }: JsonObject): JsonObject {
  if (typeof content === 'string') return { role: 'user', content: `${OPEN}${content}${CLOSE}` }
  const parts = partsOf(content).filter(isRecord)
  return { role: 'user', content: [textPart(OPEN), ...parts, textPart(CLOSE)] }
}

function textPart(text: string): JsonObject {
  return { type: 'text', text }
}
