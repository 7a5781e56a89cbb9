import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../tables/schema.ts'

/** Runs `work` in the transaction that `db` is, or else in one of its own. */
export function inTransaction<Result>(
  db: Kysely<Database>,
  work: (transaction: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return isTransaction(db) ? work(db) : db.transaction().execute(work)
}

function isTransaction(db: Kysely<Database>): db is Transaction<Database> {
  return db.isTransaction
}
