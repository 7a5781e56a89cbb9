import type { Clock } from '@tollgate/kit/clock'
import {
  addMemberSighting,
  type MemberSighting,
  pruneMemberSightings,
} from '@tollgate/store/operations/member-sightings'
import type { Db } from '@tollgate/store/tables/schema'
import type { Job } from './job.ts'

export interface NoteMembersParts {
  readonly db: Db
  readonly clock: Clock
  readonly members: { take(): readonly MemberSighting[] }
  readonly leadership: { readonly isOurs: boolean }
}

const MINUTE_MS = 60_000
const KEPT_MS = 30 * 86_400_000
const KEPT_MAX = 200

/** Keeps members that were taken out or that nobody knows, for the operations page. */
export function noteMembersJob({ db, clock, members, leadership }: NoteMembersParts): Job {
  return {
    name: 'note-members',
    everyMs: MINUTE_MS,
    runs: 'everywhere',
    run: async () => {
      const nowMs = clock.nowMs()
      const seen = members.take()
      for (const sighting of seen) await addMemberSighting(db, sighting, nowMs)
      if (leadership.isOurs) await pruneMemberSightings(db, { sinceMs: nowMs - KEPT_MS, keptMax: KEPT_MAX })
      return { members: seen.length }
    },
  }
}
