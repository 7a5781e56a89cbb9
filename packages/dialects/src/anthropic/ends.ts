import { ownValue } from '@tollgate/kit/own-value'
import type { ChoiceEnd, EndReason } from '../canonical/reply.ts'
import { textAt, type JsonObject } from '../json.ts'

const read: Readonly<Record<string, EndReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop-sequence',
  max_tokens: 'length',
  model_context_window_exceeded: 'context-full',
  tool_use: 'tool-calls',
  refusal: 'refusal',
  pause_turn: 'paused',
}

/**
 * Reads the stop reason of a message, or of the `delta` of a `message_delta` event; `undefined` while there
 * is none.
 */
export function readEnd(message: JsonObject): ChoiceEnd | undefined {
  const raw = textAt(message, 'stop_reason')
  if (raw === undefined) return undefined
  const reason = ownValue(read, raw) ?? 'other'
  return { reason, raw, stopSequence: textAt(message, 'stop_sequence') }
}

const written: Readonly<Record<EndReason, string>> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'context-full': 'model_context_window_exceeded',
  'tool-calls': 'tool_use',
  refusal: 'refusal',
  filtered: 'refusal',
  paused: 'pause_turn',
  other: 'end_turn',
}

export function writeEnd({ reason, stopSequence }: ChoiceEnd): JsonObject {
  return { stop_reason: written[reason], stop_sequence: stopSequence ?? null }
}
