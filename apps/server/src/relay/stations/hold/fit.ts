import { editedAsk } from '@tollgate/dialects/ask-edit'
import type { Admitted } from '../admit/admitted.ts'

/** Returns the call with a lower output limit; the other bytes of its body are unchanged. */
export function withOutputLimit(admitted: Admitted, outputTokensMax: number): Admitted {
  const { operation, ask } = admitted
  const set = operation.outputLimit?.write(ask, outputTokensMax) ?? {}
  return { ...admitted, ask: editedAsk(ask, { set, facts: { outputTokensMax } }) }
}
