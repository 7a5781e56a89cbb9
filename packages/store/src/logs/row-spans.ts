import { sql } from 'kysely'
import type { RowSpan } from './places.ts'
import type { LogFilter } from './filter.ts'
import type { Db } from '../tables/schema.ts'
import { usageGroupsThrough } from '../usage/groups.ts'
import { type SummedSpan, type UsageParts, spanMatches } from '../usage/parts.ts'

/**
 * Finds the rows of a group that has few rows, far apart. No index leads to them, but the hourly sums show in
 * which hours each user has rows of the group, and the log is quickly read by user and id. This adds no cost
 * per call; an index over groups would have to be written for each one.
 */

/**
 * If a group is found in more places than this, its next row is always near, so walking along the log is
 * fast.
 */
const SPOTS_MAX = 5000

interface SpotRow {
  readonly user_id: number
  readonly first_id: number | string
  readonly last_id: number | string
  readonly calls: number | string
}

/**
 * Spots, latest first. `undefined` when another part of the filter leads to the rows, or when there are too
 * many.
 */
export async function rowSpansOfGroup(
  db: Db,
  filter: LogFilter,
  { summed }: UsageParts,
): Promise<readonly RowSpan[] | undefined> {
  if (!isOfGroupAlone(filter) || summed.length === 0) return undefined
  const [from, before] = [summed[0]?.from ?? 0, summed.at(-1)?.before ?? 0]
  if (before > (await usageGroupsThrough(db))) return undefined
  const span: SummedSpan = { table: 'usage_owner_groups', from, before }
  const { rows } = await sql<SpotRow>`
    select found.user_id, log_hours.first_id, log_hours.last_id, found.calls
    from (select hour_at, user_id, calls from usage_owner_groups where ${spanMatches(filter, span)}
      limit ${sql.lit(SPOTS_MAX + 1)}) as found
    join log_hours on log_hours.hour_at = found.hour_at`.execute(db)
  if (rows.length > SPOTS_MAX) return undefined
  return together(rows).toSorted((left, right) => right.lastId - left.lastId)
}

/** Any other condition leads to the rows better than the group. */
function isOfGroupAlone({ group, ...filter }: LogFilter): boolean {
  const { userId, userIds, username, tokenName, modelName, channelId } = filter
  const others = [userId, userIds, username, tokenName, modelName, channelId]
  return group !== undefined && others.every((part) => part === undefined)
}

/** Merges the sums of a user's tokens into one spot. */
function together(rows: readonly SpotRow[]): readonly RowSpan[] {
  const spots = new Map<string, RowSpan>()
  for (const row of rows) {
    const [userId, firstId, lastId] = [row.user_id, Number(row.first_id), Number(row.last_id)]
    const name = `${userId} ${firstId} ${lastId}`
    const calls = Number(row.calls) + (spots.get(name)?.calls ?? 0)
    spots.set(name, { userId, firstId, lastId, calls })
  }
  return [...spots.values()]
}
