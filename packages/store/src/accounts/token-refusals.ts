import { sql } from 'kysely'
import { insertUnlessKnown } from '../database/insert-unless-known.ts'
import type { Db } from '../tables/schema.ts'

const QUARTER_SECONDS = 900

/** Calls of a token that were refused for one reason. */
export interface TokenRefusals {
  readonly tokenId: number
  /** Code of the Problem. */
  readonly code: string
  readonly refused: number
}

/** Adds what one process refused at about a time, in seconds; several may add to the same row. */
export async function addTokenRefusals(
  db: Db,
  { tokenId, code, refused }: TokenRefusals,
  at: number,
): Promise<void> {
  const quarterAt = at - (at % QUARTER_SECONDS)
  const increase = async () => {
    const { numUpdatedRows } = await db
      .updateTable('token_refusals')
      .set((row) => ({ refused: row('refused', '+', refused) }))
      .where('token_id', '=', tokenId)
      .where('quarter_at', '=', quarterAt)
      .where('code', '=', code)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
  if (await increase()) return
  const insert = db
    .insertInto('token_refusals')
    .values({ token_id: tokenId, quarter_at: quarterAt, code, refused: 0 })
  await insertUnlessKnown(db, insert, ['token_id', 'quarter_at', 'code'])
  await increase()
}

/** What was refused since a time, in seconds, the most frequent reason of each token first. */
export async function sumTokenRefusals(
  db: Db,
  { tokenIds, since }: { readonly tokenIds: readonly number[]; readonly since: number },
): Promise<readonly TokenRefusals[]> {
  if (tokenIds.length === 0) return []
  const rows = await db
    .selectFrom('token_refusals')
    .select(['token_id', 'code', sql<number | string>`sum(refused)`.as('refused')])
    .where('token_id', 'in', tokenIds)
    .where('quarter_at', '>=', since)
    .groupBy(['token_id', 'code'])
    .execute()
  return rows
    .map(({ token_id: tokenId, code, refused }) => ({ tokenId, code, refused: Number(refused) }))
    .toSorted((a, b) => b.refused - a.refused)
}

export async function removeOldTokenRefusals(db: Db, before: number): Promise<void> {
  await db.deleteFrom('token_refusals').where('quarter_at', '<', before).execute()
}
