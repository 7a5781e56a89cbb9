import type { Part } from '../canonical/part.ts'
import type { PairRules } from './pair.ts'

/**
 * Reports a tool call signed by Gemini, so that its signature can be stored for callers whose dialect has no
 * member for it.
 */
export function reportSignedCall(part: Part, { onSignedCall }: Pick<PairRules, 'onSignedCall'>): void {
  if (part.type !== 'tool-call' || part.signature?.dialect !== 'gemini') return
  onSignedCall?.({ callId: part.id, signature: part.signature.value })
}
