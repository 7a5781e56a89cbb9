import type { ChoiceEnd, EndReason } from '@tollgate/dialects/canonical/reply'
import { ownValue } from '@tollgate/kit/own-value'

const reasons: Readonly<Record<string, EndReason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop-sequence',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool-calls',
  ERROR_TOXIC: 'filtered',
}

export function readEnd(raw: string): ChoiceEnd {
  return { reason: ownValue(reasons, raw) ?? 'other', raw }
}
