import { setTimeout as sleep } from 'node:timers/promises'
import type { LedgerHealth } from '@tollgate/ledger/ledger'

/** Why a process is not ready, or not wholly. */
export const UNREADY_REASONS = ['starting', 'stopping', 'disk', 'database', 'journal'] as const
export type UnreadyReason = (typeof UNREADY_REASONS)[number]

/** Whether this process would answer a call. `degraded`: it would, although something it depends on is away. */
export type ReadinessReport =
  | { readonly status: 'ready' }
  | { readonly status: 'degraded'; readonly reason: UnreadyReason }
  | { readonly status: 'not ready'; readonly reason: UnreadyReason }

export interface ReadinessParts {
  readonly state: { readonly isReady: boolean; readonly isStopping: boolean }
  readonly ledger: { health(): Pick<LedgerHealth, 'isStoreWritable' | 'isAdmitting' | 'isDiskFull'> }
  readonly store: { ping(): Promise<boolean> }
  /** A database server may be away for a while; an embedded database that cannot be written ends the process. */
  readonly isOnServer: boolean
}

/** Load balancers give up after two seconds and more. */
const PING_MS = 1_000

/**
 * A process that was ready once and holds a lease of its quota serves calls while the database is away, so that a
 * restart of the database does not take every node out of a load balancer.
 */
export function createReadiness({
  state,
  ledger,
  store,
  isOnServer,
}: ReadinessParts): () => Promise<ReadinessReport> {
  return async () => {
    if (state.isStopping) return { status: 'not ready', reason: 'stopping' }
    if (!state.isReady) return { status: 'not ready', reason: 'starting' }
    const { isStoreWritable = true, isAdmitting = isStoreWritable, isDiskFull } = ledger.health()
    if (isDiskFull === true) return { status: 'not ready', reason: 'disk' }
    const isAnswering = isStoreWritable && (await answersInTime(store))
    if (isAdmitting && isAnswering) return { status: 'ready' }
    if (isAdmitting && isOnServer) return { status: 'degraded', reason: 'database' }
    return { status: 'not ready', reason: isAnswering ? 'journal' : 'database' }
  }
}

async function answersInTime(store: ReadinessParts['store']): Promise<boolean> {
  const late = new AbortController()
  const isLate = sleep(PING_MS, false, { signal: late.signal, ref: false }).catch(() => false)
  return Promise.race([store.ping(), isLate]).finally(() => late.abort())
}
