import type { Reading } from '@tollgate/dialects/dialect'
import type { RelaySettings } from '../../../snapshots/relay-settings.ts'
import type { OwnerEntry } from '../../../snapshots/snapshots.ts'
import { isTrusted } from '../../../snapshots/trust.ts'
import { LEFT_CALLS_OF_USER, type LeftCall } from '../../left-calls.ts'
import type { Delivered, Route } from '../../outcome.ts'
import type { RequestState } from './request-state.ts'

interface LeavingCall {
  readonly caller: { readonly owner: OwnerEntry }
  readonly settings: Pick<RelaySettings, 'isSelfUse'>
}

/** The place of a call among those that go on without their callers. */
export function describeLeftCall({
  caller: { owner },
  settings,
}: LeavingCall): Pick<LeftCall, 'userId' | 'ofUserMax'> {
  return { userId: owner.id, ofUserMax: LEFT_CALLS_OF_USER[isTrusted(owner, settings) ? 'paid' : 'unpaid'] }
}

/** The outcome of a call that was displaced before anything usable arrived. */
export function writeDisplaced(route: Route, { isAccepted }: Pick<RequestState, 'isAccepted'>): Delivered {
  const common = { ...route, type: 'delivered', ending: 'displaced', reading: NOTHING_READ } as const
  return isAccepted ? common : { ...common, isUnaccepted: true }
}

const NOTHING_READ: Reading = {
  usage: undefined,
  finish: undefined,
  outputTokensCounted: 0,
  hasOutput: false,
  isComplete: false,
  error: undefined,
}
