import type { Clock } from '@tollgate/kit/clock'
import { NETWORK_KEPT_MS, removeOldNetworks } from '@tollgate/store/accounts/known-networks'
import { removeOldTokenRefusals } from '@tollgate/store/accounts/token-refusals'
import { removeOldChanges } from '@tollgate/store/operations/changes'
import type { Db } from '@tollgate/store/tables/schema'
import { type ExpiringTable, removeExpired } from '@tollgate/store/accounts/remove-expired'
import type { Job } from './job.ts'

const HOUR_MS = 3_600_000
/** The console shows those of a day. */
const REFUSALS_KEPT_MS = 7 * 24 * HOUR_MS
const SIGN_INS: readonly ExpiringTable[] = ['sessions', 'oauth_states', 'spent_marks']

/** Deletes expired sessions and sign-ins, which are already refused, and sums that nobody reads any more. */
export function pruneJob({ db, clock }: { db: Db; clock: Clock }): Job {
  return {
    name: 'prune-sign-ins',
    everyMs: HOUR_MS,
    runs: 'once',
    run: async () => {
      const nowMs = clock.nowMs()
      for (const table of SIGN_INS) await removeExpired(db, table, nowMs)
      await removeOldNetworks(db, nowMs - NETWORK_KEPT_MS)
      await removeOldChanges(db, nowMs - HOUR_MS)
      await removeOldTokenRefusals(db, Math.floor((nowMs - REFUSALS_KEPT_MS) / 1000))
    },
  }
}
