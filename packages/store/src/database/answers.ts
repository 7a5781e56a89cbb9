import { type Kysely, sql } from 'kysely'
import type { Database } from '../tables/schema.ts'

export async function answers(db: Kysely<Database>): Promise<boolean> {
  return sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
}
