import type { Clock } from '@tollgate/kit/clock'
import { releaseLease, takeLease } from '@tollgate/store/leases'
import type { Database } from '@tollgate/store/schema'
import type { Kysely } from 'kysely'

export interface LeadershipDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  /** What there is a turn of, the same at all processes. */
  readonly name: string
  /** This process, unlike all others. */
  readonly holder: string
  /** How long nobody else takes over from a process that has died. */
  readonly leaseMs?: number
}

/** Whose turn it is among the processes over one database. */
export interface Leadership {
  /** Certain for now: the others wait at least until this becomes false. */
  readonly isOurs: boolean
  /** Gives it up at once, so that another need not wait. */
  close(): Promise<void>
}

/** Of a process that leaves it to the others. */
export const neverLeader: Leadership = { isOurs: false, close: async () => undefined }

const LEASE_MS = 30_000
/** Two attempts at renewing may fail before the turn is lost. */
const RENEWALS_PER_LEASE = 3

/**
 * Takes the turn when it is free, and keeps it while this process lives. A process that was paused finds by its own clock
 * that its turn is over, before it asks anybody.
 */
export async function seekLeadership(deps: LeadershipDeps): Promise<Leadership> {
  const { db, clock, name, holder, leaseMs = LEASE_MS } = deps
  let endsMs = -Infinity
  let isClosed = false

  async function renew(): Promise<void> {
    const askedMs = clock.monotonicMs()
    // Without an answer it stays as it was known: ours until the end of the lease.
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
      // Without the database it runs out by itself.
      await releaseLease(db, { name, holder }).catch(() => undefined)
    },
  }
}
