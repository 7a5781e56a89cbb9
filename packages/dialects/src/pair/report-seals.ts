import type { ReplyEvent } from '../canonical/event.ts'
import type { Part } from '../canonical/part.ts'
import type { PairRules } from './pair.ts'

type SealListener = Pick<PairRules, 'onSeal'>

/** Reports the signature or the encrypted reasoning of a part. */
export function reportPartSeal(part: Part, { onSeal }: SealListener): void {
  if (part.type === 'redacted-reasoning') onSeal?.(part.data.value)
  else if ((part.type === 'reasoning' || part.type === 'tool-call') && part.signature !== undefined)
    onSeal?.(part.signature.value)
}

/** The same for a step of a stream, in which a signature may come on its own. */
export function reportEventSeal(event: ReplyEvent, rules: SealListener): void {
  if (event.type === 'part-start') reportPartSeal(event.opening, rules)
  else if (event.type === 'signature-delta') rules.onSeal?.(event.signature.value)
}
