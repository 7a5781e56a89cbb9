import { randomToken } from '@tollgate/kit/ids'
import type { Database } from '@tollgate/store/tables/schema'
import type { Kysely } from 'kysely'

/** The id by which journals name this database; created when the first process asks for it. */
export async function databaseIdOf(db: Kysely<Database>): Promise<string> {
  const known = await readId(db)
  if (known !== undefined) return known
  await db
    .insertInto('database_identity')
    .values({ id: randomToken(12) })
    .execute()
  // Another process may have been first.
  return (await readId(db)) ?? ''
}

async function readId(db: Kysely<Database>): Promise<string | undefined> {
  const row = await db.selectFrom('database_identity').select('id').orderBy('id').executeTakeFirst()
  return row?.id
}
