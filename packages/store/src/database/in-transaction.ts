import type { Transaction } from 'kysely'
import type { Database, Db } from '../tables/schema.ts'

/** Runs `work` in the transaction that `db` is, or else in one of its own. */
export function inTransaction<Result>(
  db: Db,
  work: (transaction: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return isTransaction(db) ? work(db) : db.transaction().execute(work)
}

function isTransaction(db: Db): db is Transaction<Database> {
  return db.isTransaction
}
