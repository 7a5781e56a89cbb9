import { randomToken } from '@tollgate/kit/ids'
import { batchesBySize } from '../database/batches-by-size.ts'
import type { Db } from '../tables/schema.ts'
import { engineOf } from '../database/traits.ts'

/**
 * Even rows with this many columns, this many at a time, stay far below every engine's limit of parameters.
 */
const ROWS_AT_ONCE = 200

type Row = Awaited<ReturnType<typeof oldest>>[number]

/**
 * Copies the oldest rows of the usage log into another database, removes them here and returns how many. A
 * row is removed only if it is still as it was copied; a row that a late settlement has changed is copied
 * again and replaces the first copy. No row is lost or duplicated when the move is interrupted, repeated, or
 * run by two processes at once.
 */
export async function moveLogs(from: Db, to: Db): Promise<number> {
  await nameAll(from, await oldest(from))
  const rows = await oldest(from)
  if (rows.length === 0) return 0
  await put(to, rows)
  return from.transaction().execute((transaction) => removeUnchanged(transaction, rows))
}

function oldest(db: Db) {
  return db.selectFrom('logs').selectAll().orderBy('id').limit(ROWS_AT_ONCE).execute()
}

/**
 * Gives a row without a request id (one that no call wrote) a random one, which identifies it in the other
 * database.
 */
async function nameAll(db: Db, rows: readonly Row[]): Promise<void> {
  for (const { id, request_id: name } of rows)
    if (name === null)
      await db
        .updateTable('logs')
        .set({ request_id: `log:${randomToken(18)}` })
        .where('id', '=', id)
        .where('request_id', 'is', null)
        .execute()
}

async function put(db: Db, rows: readonly Row[]): Promise<void> {
  const names = rows.flatMap(({ request_id: name }) => (name === null ? [] : [name]))
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('logs').where('request_id', 'in', names).execute()
    for (const portion of batchesBySize(rows.map(({ id: _id, ...row }) => row)))
      await transaction.insertInto('logs').values(portion).execute()
  })
}

async function removeUnchanged(db: Db, brought: readonly Row[]): Promise<number> {
  const ids = brought.map(({ id }) => id)
  const now = db.selectFrom('logs').selectAll().where('id', 'in', ids)
  // SQLite has one writer, which is this transaction, so no lock is needed.
  const locked = engineOf(db) === 'sqlite' ? now : now.forUpdate()
  const known = new Map(brought.map((row) => [row.id, textOf(row)]))
  const unchanged = (await locked.execute()).filter((row) => known.get(row.id) === textOf(row))
  if (unchanged.length === 0) return 0
  const gone = unchanged.map(({ id }) => id)
  await db.deleteFrom('logs').where('id', 'in', gone).execute()
  return gone.length
}

function textOf(row: Row): string {
  return JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
