import type { Db } from '../tables/schema.ts'

/** Removes old rows from the usage log in slices, so that no other statement waits long for one. */

export interface OldRows {
  readonly types: readonly number[]
  /** In seconds. */
  readonly before: number
  readonly limit: number
}

/** Removes rows of some types from before a time, oldest first, and returns how many were removed. */
export async function removeOldRows(db: Db, { types, before, limit }: OldRows): Promise<number> {
  const rows = await db
    .selectFrom('logs')
    .select('id')
    .where('type', 'in', types)
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await db.deleteFrom('logs').where('id', 'in', ids).execute()
  return rows.length
}

/**
 * Bytes of the fixed-size columns of a row together with its index entries, measured on files of a million
 * rows.
 */
const FIXED_BYTES = 300
const SAMPLE_ROWS = 500
const TEXTS = ['content', 'username', 'token_name', 'model_name', 'group_name', 'other'] as const

/**
 * Returns the time before which rows have to be removed so that the newer ones fit into `bytesMax`;
 * `undefined` when all rows fit. The size of a row is estimated from the newest rows, and their number from
 * their ids.
 */
export async function timeToFit(db: Db, bytesMax: number): Promise<number | undefined> {
  const newest = await db
    .selectFrom('logs')
    .select(['id', ...TEXTS])
    .orderBy('id', 'desc')
    .limit(SAMPLE_ROWS)
    .execute()
  const [last] = newest
  if (!last) return undefined
  const texts = newest.reduce(
    (sum, row) => sum + TEXTS.reduce((length, name) => length + Buffer.byteLength(row[name]), 0),
    0,
  )
  const rowsMax = Math.max(1, Math.floor(bytesMax / (FIXED_BYTES + texts / newest.length)))
  const first = await db
    .selectFrom('logs')
    .select(['id', 'created_at'])
    .where('id', '>', last.id - rowsMax)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const older = await db
    .selectFrom('logs')
    .select('id')
    .where('id', '<', first.id)
    .limit(1)
    .executeTakeFirst()
  return older && first.created_at
}
