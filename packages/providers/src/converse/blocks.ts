import type { ChoiceEnd, EndReason } from '@tollgate/dialects/canonical/reply'
import { textAt, type JsonObject } from '@tollgate/dialects/json'
import { ownValue } from '@tollgate/kit/own-value'

export function callNamed(use: JsonObject): { readonly id: string; readonly name: string } {
  return { id: textAt(use, 'toolUseId') ?? '', name: textAt(use, 'name') ?? '' }
}

const reasons: Readonly<Record<string, EndReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop-sequence',
  max_tokens: 'length',
  tool_use: 'tool-calls',
  guardrail_intervened: 'filtered',
  content_filtered: 'filtered',
  model_context_window_exceeded: 'context-full',
}

export function readEnd(raw: string): ChoiceEnd {
  return { reason: ownValue(reasons, raw) ?? 'other', raw }
}
