import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../tables/schema.ts'
import { engineOf, type Traits } from '../database/traits.ts'
import { isInserted } from '../database/insert-unless-known.ts'

/**
 * Leases elect one of several processes for work that only one should do. All times are those of the
 * database, which is the same clock for every process.
 */

export interface LeaseInput {
  readonly name: string
  readonly holder: string
  readonly leaseMs: number
}

/**
 * Takes the lease if it is free or expired, or renews it for its holder. Returns false when another process
 * has it.
 */
export async function takeLease(db: Db, lease: LeaseInput): Promise<boolean> {
  return (await renew(db, lease)) || (await insert(db, lease))
}

async function renew(db: Db, { name, holder, leaseMs }: LeaseInput): Promise<boolean> {
  const now = nowMs(engineOf(db))
  const { numUpdatedRows } = await db
    .updateTable('lease')
    .set({ holder, until_ms: sql`${now} + ${leaseMs}` })
    .where('name', '=', name)
    .where((row) => row.or([row('holder', '=', holder), row('until_ms', '<=', now)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function insert(db: Db, { name, holder, leaseMs }: LeaseInput): Promise<boolean> {
  const until = sql<number>`${nowMs(engineOf(db))} + ${leaseMs}`
  return isInserted(db.insertInto('lease').values({ name, holder, until_ms: until }).execute())
}

/** Ends the holder's own lease at once. A lease of another holder is not touched. */
export async function releaseLease(
  db: Db,
  { name, holder }: Pick<LeaseInput, 'name' | 'holder'>,
): Promise<void> {
  await db
    .updateTable('lease')
    .set({ until_ms: 0 })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .execute()
}

const NOW_MS: Record<Traits['engine'], string> = {
  sqlite: "cast(unixepoch('subsec') * 1000 as integer)",
  postgres: 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
  mysql: 'cast(unix_timestamp(sysdate(3)) * 1000 as signed)',
}

/** Milliseconds since the epoch by the clock of the database. */
export function nowMs(engine: Traits['engine']): RawBuilder<number> {
  return sql.raw<number>(NOW_MS[engine])
}
