import { joinRepairs } from '@tollgate/dialects/canonical/repairs'
import { listAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import type { Outgoing } from '../provider.ts'
import { traitsFor } from '../quirks/body.ts'
import { CONTINUE, refuseForcedForm } from './continued-answer.ts'

/**
 * The same as `withContinuation` for a Messages request in the caller's own format, whose other members keep their
 * bytes. A turn with calls is not a beginning of an answer.
 */
export function withContinuedTurn(outgoing: Outgoing): Outgoing {
  const { operation, body } = outgoing
  if (operation !== 'messages' || traitsFor(outgoing).prefill !== false) return outgoing
  const last = recordsAt(body, 'messages').at(-1)
  if (last?.['role'] !== 'assistant' || hasCalls(last)) return outgoing
  refuseForcedForm(readTurnText(last))
  const messages = [...listAt(body, 'messages'), { role: 'user', content: CONTINUE }]
  return {
    ...outgoing,
    body: { ...body, messages },
    repairs: joinRepairs(outgoing.repairs, ['continued_answer']),
  }
}

function hasCalls(turn: JsonObject): boolean {
  return recordsAt(turn, 'content').some(({ type }) => String(type).endsWith('tool_use'))
}

function readTurnText(turn: JsonObject): string {
  return (
    textAt(turn, 'content') ??
    recordsAt(turn, 'content')
      .map((block) => textAt(block, 'text') ?? '')
      .join('')
  )
}
