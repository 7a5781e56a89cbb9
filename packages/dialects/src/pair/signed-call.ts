import type { Part } from '../canonical/part.ts'
import type { PairRules } from './pair.ts'

/** Calls of tools that Gemini signed are told to whoever keeps what callers have no place for. */
export function tellSigned(part: Part, { onSignedCall }: Pick<PairRules, 'onSignedCall'>): void {
  if (part.type !== 'tool-call' || part.signature?.dialect !== 'gemini') return
  onSignedCall?.({ callId: part.id, signature: part.signature.value })
}
