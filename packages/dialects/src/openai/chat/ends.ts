import { finishOf } from '../../canonical/reading.ts'
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

/** Chat completions have no word for an unknown reason, so it becomes the ordinary end. */
export function writeEnd(end: ChoiceEnd): string {
  const { reason } = finishOf(end)
  return reason === 'other' ? 'stop' : reason
}
