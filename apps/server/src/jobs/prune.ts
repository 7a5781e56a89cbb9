import type { Clock } from '@tollgate/kit/clock'
import { NETWORK_KEPT_MS, removeOldNetworks } from '@tollgate/store/accounts/known-networks'
import { removeOldChanges } from '@tollgate/store/operations/changes'
import { removeExpiredOAuthStates } from '@tollgate/store/accounts/oauth-states'
import type { Db } from '@tollgate/store/tables/schema'
import { removeExpiredSessions } from '@tollgate/store/accounts/sessions'
import { removeExpiredMarks } from '@tollgate/store/accounts/used-tokens'
import type { Job } from './job.ts'

const HOUR_MS = 3_600_000

/** Deletes expired sessions and sign-ins. They are already refused; this only frees space. */
export function pruneJob({ db, clock }: { db: Db; clock: Clock }): Job {
  return {
    name: 'prune-sign-ins',
    everyMs: HOUR_MS,
    runs: 'once',
    run: async () => {
      const nowMs = clock.nowMs()
      await removeExpiredSessions(db, nowMs)
      await removeExpiredOAuthStates(db, nowMs)
      await removeExpiredMarks(db, nowMs)
      await removeOldNetworks(db, nowMs - NETWORK_KEPT_MS)
      await removeOldChanges(db, nowMs - HOUR_MS)
    },
  }
}
