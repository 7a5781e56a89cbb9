import { problem, type Problem } from '@tollgate/problems/problem'
import type { Message } from './conversation.ts'
import type { ToolResultPart } from './part.ts'

/**
 * Throws a problem for the first tool result without an earlier call of the same id; vendors reject such
 * turns.
 */
export function rejectOrphanResults(messages: readonly Message[]): void {
  const calls = new Set<string>()
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.type === 'tool-call') calls.add(part.id)
    if (part.type === 'tool-result' && !calls.has(part.callId)) throw orphanResult(part)
  }
}

export function orphanResult({ callId }: ToolResultPart): Problem {
  return problem('invalid_request', { reason: `the tool result '${callId}' has no call before it` })
}
