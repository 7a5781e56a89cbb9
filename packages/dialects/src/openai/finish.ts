import { ownValue } from '@tollgate/kit/own-value'
import type { Finish, FinishReason } from '../dialect.ts'

/** Finish reasons of OpenAI and those of vendors that deviate from it. */
const reasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
  sensitive: 'content_filter',
}

export function readFinish(raw: unknown): Finish | undefined {
  if (typeof raw !== 'string' || raw === '') return undefined
  return { raw, reason: ownValue(reasons, raw) ?? 'other' }
}
