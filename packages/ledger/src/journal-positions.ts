import type { Database } from '@tollgate/store/tables/schema'
import type { Kysely } from 'kysely'
import type { InstanceState, JournalPosition } from './core/storage.ts'

/** How far the journal files are folded. Positions only move in the transactions of the ledger. */
export async function readPositions(db: Kysely<Database>): Promise<readonly JournalPosition[]> {
  const rows = await db
    .selectFrom('journal')
    .leftJoin('instance', 'instance.id', 'journal.instance_id')
    .select(['file_id', 'instance_id', 'position', 'open_from', 'state'])
    .orderBy('file_id')
    .execute()
  return rows.map((row) => ({
    fileId: row.file_id,
    instanceId: row.instance_id,
    position: row.position,
    openFrom: row.open_from,
    state: row.state ?? undefined,
  }))
}

export async function readStates(
  db: Kysely<Database>,
  instanceIds: readonly string[],
): Promise<ReadonlyMap<string, InstanceState>> {
  if (instanceIds.length === 0) return new Map()
  const query = db.selectFrom('instance').select(['id', 'state']).where('id', 'in', instanceIds)
  return new Map((await query.execute()).map(({ id, state }) => [id, state]))
}

export async function forgetJournal(db: Kysely<Database>, fileId: string): Promise<void> {
  await db.deleteFrom('journal').where('file_id', '=', fileId).execute()
}
