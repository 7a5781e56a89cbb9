import type { ChoiceEnd, EndReason } from '../../canonical/reply.ts'
import { readFinish } from '../finish.ts'

const read: Readonly<Record<NonNullable<ReturnType<typeof readFinish>>['reason'], EndReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  content_filter: 'filtered',
  other: 'other',
}

/** `undefined` while a choice has not ended. */
export function readEnd(raw: unknown): ChoiceEnd | undefined {
  const finish = readFinish(raw)
  return finish && { reason: read[finish.reason], raw: finish.raw }
}

const written: Readonly<Record<EndReason, string>> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'context-full': 'length',
  'tool-calls': 'tool_calls',
  refusal: 'content_filter',
  filtered: 'content_filter',
  paused: 'stop',
  other: 'stop',
}

export function writeEnd({ reason }: ChoiceEnd): string {
  return written[reason]
}
