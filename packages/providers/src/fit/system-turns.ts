import { joinRepairs } from '@tollgate/dialects/canonical/repairs'
import { isRecord, listAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import type { Outgoing } from '../provider.ts'

/**
 * Writes system turns between the others of a Messages request as reminders of the user, for hosts that know no
 * such turns. One that stands between calls and their results moves behind the results.
 */
export function withSystemReminders(outgoing: Outgoing): Outgoing {
  const messages = listAt(outgoing.body, 'messages')
  if (!messages.some(isSystemTurn)) return outgoing
  const written: unknown[] = []
  let waiting: JsonObject[] = []
  for (const message of messages) {
    if (isSystemTurn(message)) {
      const reminder = {
        type: 'text',
        text: `<system-reminder>\n${readTurnText(message)}\n</system-reminder>`,
      }
      if (hasCalls(written.at(-1))) waiting.push(reminder)
      else written.push({ role: 'user', content: [reminder] })
      continue
    }
    written.push(message)
    if (waiting.length > 0) written.push({ role: 'user', content: waiting })
    waiting = []
  }
  if (waiting.length > 0) written.push({ role: 'user', content: waiting })
  const body = { ...outgoing.body, messages: written }
  return { ...outgoing, body, repairs: joinRepairs(outgoing.repairs, ['system_reminders']) }
}

function isSystemTurn(message: unknown): message is JsonObject {
  return isRecord(message) && message['role'] === 'system'
}

function hasCalls(message: unknown): boolean {
  return isRecord(message) && recordsAt(message, 'content').some(({ type }) => type === 'tool_use')
}

function readTurnText(turn: JsonObject): string {
  return (
    textAt(turn, 'content') ??
    recordsAt(turn, 'content')
      .map((block) => textAt(block, 'text') ?? '')
      .join('\n')
  )
}
