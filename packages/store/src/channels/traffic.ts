import type { Insertable } from 'kysely'
import type { ChannelTrafficTable } from '../tables/operations.ts'
import type { Db } from '../tables/schema.ts'

export type TrafficRow = Omit<ChannelTrafficTable, 'id'>

/** Inserts what a process counted since its last report, one row per channel. */
export async function insertTraffic(db: Db, rows: readonly Insertable<ChannelTrafficTable>[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('channel_traffic')
    .values([...rows])
    .execute()
}

export function listTraffic(
  db: Db,
  { channelIds, sinceMs }: { channelIds: readonly number[]; sinceMs: number },
): Promise<TrafficRow[]> {
  return db
    .selectFrom('channel_traffic')
    .select(['channel_id', 'at_ms', 'succeeded', 'failed', 'first_bytes', 'errors'])
    .where('channel_id', 'in', [...channelIds])
    .where('at_ms', '>=', sinceMs)
    .orderBy('at_ms')
    .execute()
}

export async function removeTraffic(db: Db, beforeMs: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('channel_traffic')
    .where('at_ms', '<', beforeMs)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Attempts on all channels since a time. */
export async function sumTraffic(db: Db, sinceMs: number): Promise<{ succeeded: number; failed: number }> {
  const row = await db
    .selectFrom('channel_traffic')
    .select((each) => [each.fn.sum('succeeded').as('succeeded'), each.fn.sum('failed').as('failed')])
    .where('at_ms', '>=', sinceMs)
    .executeTakeFirst()
  return { succeeded: Number(row?.succeeded ?? 0), failed: Number(row?.failed ?? 0) }
}
