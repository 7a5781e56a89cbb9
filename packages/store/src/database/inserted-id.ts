import type { InsertResult } from 'kysely'
import type { Db } from '../tables/schema.ts'

/**
 * Inserts one row and returns its new id. Runs `returning` where the engine supports it, and `insert`
 * elsewhere.
 */
export async function insertedId(
  db: Db,
  { insert, returning }: { insert: Query<InsertResult>; returning: Query<{ id: number }> },
): Promise<number> {
  const { supportsReturning } = db.getExecutor().adapter
  if (supportsReturning) return (await returning.executeTakeFirstOrThrow()).id
  return Number((await insert.executeTakeFirstOrThrow()).insertId)
}

interface Query<Result> {
  executeTakeFirstOrThrow(): Promise<Result>
}
