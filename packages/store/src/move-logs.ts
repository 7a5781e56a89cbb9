import { randomToken } from '@tollgate/kit/ids'
import type { Kysely } from 'kysely'
import { portions } from './portions.ts'
import type { Database } from './schema.ts'
import { engineOf } from './traits.ts'

/** Whole rows of this many columns stay far below every engine's limit of parameters. */
const ROWS_AT_ONCE = 200

type Row = Awaited<ReturnType<typeof oldest>>[number]

/**
 * Brings the oldest rows of the usage log into another database and removes them here; returns how many. A row is removed
 * only as it was brought over: one that a late settlement changes meanwhile is brought again and replaces the first. Ended
 * anywhere, begun again, or done by two at once, no row is lost or there twice.
 */
export async function moveLogs(from: Kysely<Database>, to: Kysely<Database>): Promise<number> {
  await nameAll(from, await oldest(from))
  const rows = await oldest(from)
  if (rows.length === 0) return 0
  await put(to, rows)
  return from.transaction().execute((transaction) => removeUnchanged(transaction, rows))
}

function oldest(db: Kysely<Database>) {
  return db.selectFrom('logs').selectAll().orderBy('id').limit(ROWS_AT_ONCE).execute()
}

/** What no call brought has no request id; it gets a name here, by which it is known over there. */
async function nameAll(db: Kysely<Database>, rows: readonly Row[]): Promise<void> {
  for (const { id, request_id: name } of rows)
    if (name === null)
      await db
        .updateTable('logs')
        .set({ request_id: `log:${randomToken(18)}` })
        .where('id', '=', id)
        .where('request_id', 'is', null)
        .execute()
}

async function put(db: Kysely<Database>, rows: readonly Row[]): Promise<void> {
  const names = rows.flatMap(({ request_id: name }) => (name === null ? [] : [name]))
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('logs').where('request_id', 'in', names).execute()
    for (const portion of portions(rows.map(({ id: _id, ...row }) => row)))
      await transaction.insertInto('logs').values(portion).execute()
  })
}

async function removeUnchanged(db: Kysely<Database>, brought: readonly Row[]): Promise<number> {
  const ids = brought.map(({ id }) => id)
  const now = db.selectFrom('logs').selectAll().where('id', 'in', ids)
  // The embedded database has one writer, which is this transaction.
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
