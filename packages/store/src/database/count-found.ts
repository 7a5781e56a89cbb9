import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../tables/schema.ts'

/** Returns the number of rows of a query that selects no columns yet. */
export async function countFound<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
): Promise<number> {
  const counted = query.select(sql`count(*)`.as('rows')).$castTo<{ rows: number | string | bigint }>()
  return Number((await counted.executeTakeFirstOrThrow()).rows)
}

/** Counts the rows with these ids, but reads `atMost` of them. */
export function countUpTo<Tables, Table extends keyof Tables>(
  db: Db,
  ids: SelectQueryBuilder<Tables, Table, { id: number }>,
  atMost: number,
): Promise<number> {
  return countFound(db.selectFrom(ids.limit(atMost).as('found')))
}
