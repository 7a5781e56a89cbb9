import { sql } from 'kysely'
import type { Db } from '../tables/schema.ts'

export async function answers(db: Db): Promise<boolean> {
  return sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
}
