import { nowMs } from '@tollgate/store/operations/leases'
import type { Database } from '@tollgate/store/tables/schema'
import { engineOf } from '@tollgate/store/database/traits'
import { type Kysely, sql } from 'kysely'
import { SILENT_MS } from './server/reaper.ts'

/** Number of processes that write to the ledger of one SQLite file, whose owner declares them dead. */
export async function countAlive(db: Kysely<Database>): Promise<number> {
  const { live } = await db
    .selectFrom('instance')
    .select((select) => select.fn.countAll<number>().as('live'))
    .where('state', '=', 'alive')
    .executeTakeFirstOrThrow()
  return live
}

/** Number of processes that write to the ledger of a database server, by their heartbeats. */
export async function countLiveInstances(db: Kysely<Database>): Promise<number> {
  const { live } = await db
    .selectFrom('instance')
    .select((select) => select.fn.countAll<number>().as('live'))
    .where('state', '=', 'alive')
    .where('heartbeat_ms', '>=', sql<number>`${nowMs(engineOf(db))} - ${SILENT_MS}`)
    .executeTakeFirstOrThrow()
  return live
}
