import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'
import { type SumChange, applyChanges, changesTo } from './usage-changes.ts'
import { HOUR_SECONDS, type SumRow, narrowTo, readSums } from './usage-folds.ts'
import type { RollupLock } from './rollup-lock.ts'
import { readWatermark, writeWatermark } from './watermarks.ts'

/**
 * Hours by users and tokens, of each group. They came after the other sums: hours that had been summed before are made of
 * their cells, also those whose rows are gone.
 */

const THROUGH = 'usage-groups'

/** Up to where they can be read. */
export function usageGroupsThrough(db: Kysely<Database>): Promise<number> {
  return readWatermark(db, THROUGH)
}

interface CellsAt {
  readonly at: number
  readonly cells: readonly SumRow[]
}

export function changesToGroups(db: Kysely<Database>, { at, cells }: CellsAt): Promise<readonly SumChange[]> {
  return changesTo(db, { table: 'usage_owner_groups', at, rows: narrowTo('usage_owner_groups', cells) })
}

/** To be written with the watermark of the hours: an hour that is summed has its groups, and nothing before it is missing. */
export async function groupsMark(
  db: Kysely<Database>,
  { from, position }: { readonly from: number; readonly position: number },
): Promise<readonly { readonly name: string; readonly position: number }[]> {
  const through = await usageGroupsThrough(db)
  return through >= from && through < position ? [{ name: THROUGH, position }] : []
}

interface DueGroups {
  readonly lock: RollupLock
  /** Hours before are summed. */
  readonly through: number
  /** No hour is begun any more once this is true. */
  readonly isStopped?: (() => boolean) | undefined
}

export async function sumDueGroups(
  db: Kysely<Database>,
  { lock, through, isStopped }: DueGroups,
): Promise<void> {
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

async function nextHour(db: Kysely<Database>, from: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('log_hours')
    .select('hour_at')
    .where('hour_at', '>=', from)
    .orderBy('hour_at')
    .limit(1)
    .executeTakeFirst()
  return row?.hour_at
}
