import { insertUnlessKnown } from '../database/insert-unless-known.ts'
import type { NodeFiguresTable } from '../tables/operations.ts'
import type { Db } from '../tables/schema.ts'

/** Replaces what a process reported about itself before. */
export async function writeNodeFigures(db: Db, row: NodeFiguresTable): Promise<void> {
  const { id, ...figures } = row
  const { numUpdatedRows } = await db
    .updateTable('node_figures')
    .set(figures)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) await insertUnlessKnown(db, db.insertInto('node_figures').values(row), ['id'])
}

export function listNodeFigures(db: Db, sinceMs: number): Promise<NodeFiguresTable[]> {
  return db.selectFrom('node_figures').selectAll().where('at_ms', '>=', sinceMs).orderBy('id').execute()
}

export async function removeNodeFigures(db: Db, beforeMs: number): Promise<void> {
  await db.deleteFrom('node_figures').where('at_ms', '<', beforeMs).execute()
}

/** Removes the report of a process that stops. */
export async function removeNode(db: Db, id: string): Promise<void> {
  await db.deleteFrom('node_figures').where('id', '=', id).execute()
}
