import { EVERYTHING, FROM_TIME_TO_TIME, type Notices } from '@tollgate/coordination/notices'
import type { CoordinationHealth } from '@tollgate/coordination/coordination'
import type { Recalls } from '@tollgate/ledger/recalls'

/** Entity of the notice by which a process asks the others to return free quota of an account. */
const ALLOTMENT = 'allotment'

/** Redis and the parent of workers pass a notice on at once; through the database it takes up to a second. */
const FAST_MS = 100
const SLOW_MS = 1_500

export interface RecallParts {
  readonly notices: Notices
  /** Notices reach the other processes without the database. */
  readonly isFast: () => boolean
}

/** Recalls of quota, as notices between the processes of one installation. */
export function recallsOver({ notices, isFast }: RecallParts): Recalls {
  return {
    publish: (account) => void notices.publish({ entity: ALLOTMENT, id: account }),
    subscribe: (listener) =>
      notices.subscribe(({ entity, id }) => {
        if (entity === ALLOTMENT && id !== undefined) listener(Number(id))
        // A process keeps its quota then: it needs it when the database goes away right after.
        else if (entity === EVERYTHING && id === FROM_TIME_TO_TIME) return
        else if (entity === EVERYTHING || entity === ALLOTMENT) listener(undefined)
      }),
    patienceMs: () => (isFast() ? FAST_MS : SLOW_MS),
  }
}

/** Without Redis, notices between machines go through the database; workers over SQLite have their parent. */
export function isFastWith(health: () => CoordinationHealth, hasDirectNotices: boolean): () => boolean {
  return () => hasDirectNotices && health().isShared
}
