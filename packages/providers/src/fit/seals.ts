import { joinRepairs } from '@tollgate/dialects/canonical/repairs'
import { findSealFormat } from '@tollgate/dialects/seals/seals'
import type { SealRules } from '../prepare/attempt-input.ts'
import type { Outgoing } from '../provider.ts'

/** The name under which removed signatures and encrypted reasoning are reported. */
const SEALED = 'sealed_reasoning'

/**
 * Takes out signatures and encrypted reasoning that the upstream cannot read, and names the change. Thinking that
 * the vendor refuses without them is switched off for this call.
 */
export function withoutForeignSeals(outgoing: Outgoing, seals: SealRules | undefined): Outgoing {
  const isRemoved = seals?.isRemoved
  if (isRemoved === undefined) return outgoing
  const body = findSealFormat(outgoing.operation)?.remove(outgoing.body, isRemoved) ?? outgoing.body
  if (body === outgoing.body) return outgoing
  const isQuiet = Object.hasOwn(outgoing.body, 'thinking') && !Object.hasOwn(body, 'thinking')
  const dropped = [...(outgoing.dropped ?? []), SEALED, ...(isQuiet ? ['reasoning_effort'] : [])]
  return { ...outgoing, body, dropped, repairs: joinRepairs(outgoing.repairs, ['sealed_reasoning']) }
}
