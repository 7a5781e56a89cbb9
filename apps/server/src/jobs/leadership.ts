import type { Clock } from '@tollgate/kit/clock'
import { releaseLease, takeLease } from '@tollgate/store/operations/leases'
import type { Db } from '@tollgate/store/tables/schema'

export interface LeadershipDeps {
  readonly db: Db
  readonly clock: Clock
  /** Name of the leadership, the same in all processes. */
  readonly name: string
  /** Identifies this process; unique among all processes. */
  readonly holder: string
  /** How long it takes until another process can take over from one that died. */
  readonly leaseMs?: number
}

/** Leadership among the processes of one database, held by a lease. */
export interface Leadership {
  /** Safe to rely on while true: no other process can become leader before it turns false. */
  readonly isOurs: boolean
  /** Releases the leadership at once, so that another process need not wait for the lease to end. */
  close(): Promise<void>
}

/** For a process that never becomes leader. */
export const neverLeader: Leadership = { isOurs: false, close: async () => undefined }

const LEASE_MS = 30_000
/** Two renewals in a row may fail before the leadership is lost. */
const RENEWALS_PER_LEASE = 3

/**
 * Takes the leadership when it is free, and keeps it while this process lives. A process that was paused sees
 * from its own monotonic clock that its lease has ended, without a query.
 */
export async function seekLeadership(deps: LeadershipDeps): Promise<Leadership> {
  const { db, clock, name, holder, leaseMs = LEASE_MS } = deps
  let endsMs = -Infinity
  let isClosed = false

  async function renew(): Promise<void> {
    const askedMs = clock.monotonicMs()
    // When the database does not respond the state stays as it was: a leader remains leader until its lease
    // ends.
    const isTaken = await takeLease(db, { name, holder, leaseMs }).catch(() => undefined)
    if (isTaken === true) endsMs = askedMs + leaseMs
    if (isTaken === false) endsMs = -Infinity
  }

  let renewal = renew()
  await renewal
  const timer = setInterval(() => {
    renewal = renewal.then(renew)
  }, leaseMs / RENEWALS_PER_LEASE).unref()
  return {
    get isOurs() {
      return !isClosed && clock.monotonicMs() < endsMs
    },
    close: async () => {
      isClosed = true
      clearInterval(timer)
      await renewal
      // If the database is unavailable the lease expires by itself.
      await releaseLease(db, { name, holder }).catch(() => undefined)
    },
  }
}
