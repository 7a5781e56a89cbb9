import type { Ask } from '@tollgate/dialects/dialect'
import type { RelaySettings } from '../../snapshots/relay-settings.ts'
import type { Call } from '../call.ts'
import type { Operation } from '../operations/operation.ts'
import type { Affinity } from './affinity.ts'
import type { Bindings } from './binding.ts'
import { isCacheable } from './cacheable.ts'

/** The session of a call that is bound to a channel and key, and its bindings when the call was admitted. */
export interface CallAffinity {
  readonly session: string
  readonly bindings: Bindings
}

export interface AffinityQuestion {
  readonly call: Pick<Call, 'request'>
  readonly ask: Ask
  readonly operation: Pick<Operation, 'isConversation'>
  readonly session: string | undefined
  readonly groups: readonly string[]
  readonly settings: Pick<RelaySettings, 'affinity'>
}

/** Switches affinity off for one call; any other value leaves it on. */
const HEADER = 'x-tollgate-affinity'

/** The affinity of a call; `undefined` where it names no session, and where affinity is off or would not help. */
export function affinityOf(
  question: AffinityQuestion,
  { affinity }: { readonly affinity: Affinity },
): CallAffinity | Promise<CallAffinity> | undefined {
  const { ask, session, groups } = question
  if (session === undefined || !isWanted(question)) return undefined
  const found = affinity.find(session, { groups, model: ask.model })
  return found instanceof Promise
    ? found.then((bindings) => ({ session, bindings }))
    : { session, bindings: found }
}

function isWanted({ call, ask, operation, settings }: AffinityQuestion): boolean {
  if (settings.affinity === undefined || operation.isConversation !== true) return false
  return call.request.headers[HEADER] !== 'off' && isCacheable(ask)
}
