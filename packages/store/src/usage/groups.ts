import type { Db } from '../tables/schema.ts'
import { type SumChange, applyChanges, changesTo } from './changes.ts'
import { HOUR_SECONDS, type SumRow, narrowTo, readSums } from './aggregation.ts'
import type { RollupLock } from './rollup-lock.ts'
import { readWatermark, writeWatermark } from '../operations/watermarks.ts'

/**
 * Hourly sums by user and token for each group. They were added later than the other sums. Hours that were
 * already summed are filled in from their cells, including hours whose log rows are gone.
 */

const THROUGH = 'usage-groups'

/** Time up to which these sums are complete. */
export function usageGroupsThrough(db: Db): Promise<number> {
  return readWatermark(db, THROUGH)
}

interface CellsAt {
  readonly at: number
  readonly cells: readonly SumRow[]
}

export function changesToGroups(db: Db, { at, cells }: CellsAt): Promise<readonly SumChange[]> {
  return changesTo(db, { table: 'usage_owner_groups', at, rows: narrowTo('usage_owner_groups', cells) })
}

/**
 * The watermark to write together with that of the hours, if the group sums are complete up to `from`. An
 * hour that is summed has its group sums too, so they then stay complete without gaps.
 */
export async function groupsMark(
  db: Db,
  { from, position }: { readonly from: number; readonly position: number },
): Promise<readonly { readonly name: string; readonly position: number }[]> {
  const through = await usageGroupsThrough(db)
  return through >= from && through < position ? [{ name: THROUGH, position }] : []
}

interface DueGroups {
  readonly lock: RollupLock
  /** Hours before this time are summed. */
  readonly through: number
  /** Once this returns true, no further hour is started. */
  readonly isStopped?: (() => boolean) | undefined
}

export async function sumDueGroups(db: Db, { lock, through, isStopped }: DueGroups): Promise<void> {
  for (let position = await usageGroupsThrough(db); position < through;) {
    if (isStopped?.()) return
    const next = await nextHour(db, position)
    const at = next !== undefined && next < through ? next : undefined
    const cells = at === undefined ? [] : await readSums(db, 'usage_cells', { at })
    const summed = at === undefined ? through : at + HOUR_SECONDS
    await applyChanges(lock, {
      changes: at === undefined ? [] : await changesToGroups(db, { at, cells }),
      finish: (transaction) => writeWatermark(transaction, { name: THROUGH, position: summed }),
    })
    position = summed
  }
}

/** The first hour with rows from a time on. */
export async function nextHour(db: Db, from: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('log_hours')
    .select('hour_at')
    .where('hour_at', '>=', from)
    .orderBy('hour_at')
    .limit(1)
    .executeTakeFirst()
  return row?.hour_at
}
