import { findTurnRule } from '@tollgate/catalogue/limits/turn-rules'
import { joinRepairs } from '@tollgate/dialects/canonical/repairs'
import { isRecord, listAt, recordsAt, textAt } from '@tollgate/dialects/json'
import type { Outgoing } from '../provider.ts'
import { CONTINUE, refuseForcedForm } from '../repair/continued-answer.ts'

/** What the model seems to have said between the results of its calls and the user's next turn. */
const BRIDGE = { role: 'assistant', content: 'Done.' }

/**
 * Puts the turns of a chat completions request into the order that the template of its model demands, whoever
 * wrote it: every server that runs the model refuses another one.
 */
export function fitTurnOrder(outgoing: Outgoing): Outgoing {
  const rule = outgoing.operation === 'chat' ? findTurnRule(outgoing.model) : undefined
  if (rule === undefined) return outgoing
  const messages = listAt(outgoing.body, 'messages')
  const bridged = rule.needsTurnAfterResults ? withBridges(messages) : messages
  const last = recordsAt(outgoing.body, 'messages').at(-1)
  const isBeginning = rule.refusesLastTurn && last?.['role'] === 'assistant' && last['prefix'] !== true
  if (isBeginning) refuseForcedForm(textAt(last, 'content') ?? '')
  const ended = isBeginning ? [...bridged, { role: 'user', content: CONTINUE }] : bridged
  if (ended === messages) return outgoing
  const repairs = joinRepairs(
    outgoing.repairs,
    bridged === messages ? [] : ['bridged_turns'],
    isBeginning ? ['continued_answer'] : [],
  )
  return { ...outgoing, body: { ...outgoing.body, messages: ended }, repairs }
}

/** Returns the same list where no turn of the user follows a result. */
function withBridges(messages: readonly unknown[]): readonly unknown[] {
  const bridged = messages.flatMap((message, at) =>
    readRole(message) === 'user' && readRole(messages[at - 1]) === 'tool' ? [BRIDGE, message] : [message],
  )
  return bridged.length === messages.length ? messages : bridged
}

function readRole(message: unknown): unknown {
  return isRecord(message) ? message['role'] : undefined
}
