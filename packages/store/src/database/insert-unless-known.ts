import type { AnyColumn, InsertQueryBuilder, InsertResult } from 'kysely'
import type { Database, Db } from '../tables/schema.ts'
import { engineOf, isUniqueViolation } from './traits.ts'

/**
 * Returns false when a row with these values in the unique `columns` exists. A surrounding transaction goes on in
 * either case.
 */
export async function insertUnlessKnown<Table extends keyof Database>(
  db: Db,
  insert: InsertQueryBuilder<Database, Table, InsertResult>,
  columns: readonly AnyColumn<Database, Table>[],
): Promise<boolean> {
  if (engineOf(db) === 'mysql') return isInserted(insert.execute())
  const unlessKnown = insert.onConflict((conflict) => conflict.columns(columns).doNothing())
  return ((await unlessKnown.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows ?? 0n) > 0n
}

/**
 * Returns false when the insert violates a unique constraint. On PostgreSQL that aborts a surrounding
 * transaction; use `insertUnlessKnown` in one.
 */
export async function isInserted(insert: Promise<unknown>): Promise<boolean> {
  try {
    await insert
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}
