import type { Conversation } from '@tollgate/dialects/canonical/conversation'
import type { DroppedMembers } from '@tollgate/dialects/canonical/dropped'
import type { Part } from '@tollgate/dialects/canonical/part'
import { isRecord, type JsonObject } from '@tollgate/dialects/json'

/**
 * Replaces halves of surrogate pairs in the arguments of calls by U+FFFD and names the change, because the
 * model may read a path or a pattern there. Arguments are JSON inside of a text, so the halves may also be
 * written as escapes.
 */
export function withWholeArguments(conversation: Conversation, dropped: DroppedMembers): Conversation {
  let isChanged = false
  const change = (part: Part): Part => {
    if (part.type !== 'tool-call') return part
    const written = wholeJsonText(part.arguments)
    if (written === part.arguments) return part
    isChanged = true
    return { ...part, arguments: written }
  }
  const messages = conversation.messages.map((message) => ({ ...message, parts: message.parts.map(change) }))
  if (!isChanged) return conversation
  dropped.add('arguments.half_characters')
  return { ...conversation, messages }
}

/** A pair of escapes, half of one, or any other escape, so that an escaped backslash begins nothing. */
const ESCAPES =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\[^]/g

function wholeJsonText(text: string): string {
  const whole = text.toWellFormed()
  if (!/\\u[dD][89a-fA-F]/.test(whole)) return whole
  return whole.replaceAll(ESCAPES, (escape) => (escape.length === 6 ? String.raw`\ufffd` : escape))
}

/**
 * Replaces halves of surrogate pairs in all texts of a written body by U+FFFD. Clients cut texts in the middle
 * of an emoji, and vendors refuse the whole body as broken JSON.
 */
export function withWholeTexts(body: JsonObject): JsonObject {
  const whole = wholeValue(body)
  return isRecord(whole) ? whole : body
}

/** Returns the same value when nothing changed. */
function wholeValue(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed()
  if (Array.isArray(value)) {
    const items = value.map(wholeValue)
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  return isRecord(value) ? wholeObject(value) : value
}

function wholeObject(object: JsonObject): JsonObject {
  const entries = Object.entries(object)
  const whole = entries.map(([name, value]) => [name.toWellFormed(), wholeValue(value)] as const)
  const isChanged = whole.some(([name, value], at) => name !== entries[at]?.[0] || value !== entries[at]?.[1])
  return isChanged ? Object.fromEntries(whole) : object
}
