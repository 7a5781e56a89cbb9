import { sql } from 'kysely'
import { StoreOpenError } from '../database/errors.ts'
import type { Db } from '../tables/schema.ts'
import { SCHEMA_MARK } from '../sqlite/open-database.ts'
import { readWatermark, writeWatermark } from '../operations/watermarks.ts'

/**
 * Marks a database that is being filled from another Tollgate database. The mark is a row in the table of
 * schema steps, which every way to open a database reads first, so that a half-filled database never serves
 * requests.
 */

/** Larger than any real schema step. */
export const IMPORT_MARK = 1_000_000_000

const steps = sql.table(SCHEMA_MARK)

/** Throws a {@link StoreOpenError} when an import was started and not finished. */
export async function refuseUnfinishedImport(db: Db): Promise<void> {
  if ((await importUnderWay(db)) === undefined) return
  throw new StoreOpenError(
    'half_imported',
    'The database holds a part of another one: run the same import again to its end, or name an empty database.',
  )
}

/** Id of the import that was started here and not finished. */
export async function importUnderWay(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from ${steps} where number = ${IMPORT_MARK}`.execute(db)
  return rows[0]?.name
}

export async function beginImport(db: Db, id: string): Promise<void> {
  await sql`insert into ${steps} values (${IMPORT_MARK}, ${id}, ${Date.now()})`.execute(db)
}

/** Removes the mark of an import that copied nothing. */
export async function cancelImport(db: Db): Promise<void> {
  await sql`delete from ${steps} where number = ${IMPORT_MARK}`.execute(db)
}

/** Turns the database into an ordinary one and records the import by its id. Call it in a transaction. */
export async function endImport(db: Db, id: string): Promise<void> {
  await cancelImport(db)
  await writeWatermark(db, { name: doneName(id), position: Date.now() })
}

export async function wasImported(db: Db, id: string): Promise<boolean> {
  return (await readWatermark(db, doneName(id))) > 0
}

function doneName(id: string): string {
  return `import:${id}`
}
