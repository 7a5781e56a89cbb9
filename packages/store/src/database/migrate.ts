import { sql } from 'kysely'
import { StoreOpenError } from './errors.ts'
import { IMPORT_MARK, refuseUnfinishedImport } from '../transfer/unfinished-import.ts'
import { migrations } from '../migrations/index.ts'
import type { Migration } from '../migrations/migration.ts'
import type { Db } from '../tables/schema.ts'
import { SCHEMA_MARK } from '../sqlite/open-database.ts'
import type { Traits } from './traits.ts'

export interface MigrateOptions {
  /** Only for an import that continues: see `transfer/unfinished-import.ts`. */
  readonly mayBeHalfImported?: boolean | undefined
}

/**
 * Brings the schema up to date, each step in its own transaction where the engine supports that. Rejects a
 * database whose schema is newer than this program knows. Only one process may run it at a time: a file is
 * opened by one process, and for servers see `server/migration-lock.ts`.
 */
export async function migrate(
  db: Db,
  traits: Traits,
  { mayBeHalfImported = false }: MigrateOptions = {},
): Promise<void> {
  await createMark(db, traits)
  if (!mayBeHalfImported) await refuseUnfinishedImport(db)
  const last = await lastStep(db)
  const known = migrations.at(-1)?.number ?? 0
  if (last.number > known) refuseNewer(last.number, known)
  const applied = last.isFinished ? last.number : last.number - 1
  for (const migration of migrations) if (migration.number > applied) await apply(db, traits, migration)
}

/** For a node that does not migrate: the schema must be exactly the one that it knows. */
export async function requireSchema(db: Db, isEmpty: boolean): Promise<void> {
  if (!isEmpty) await refuseUnfinishedImport(db)
  const { number, isFinished } = isEmpty ? { number: 0, isFinished: true } : await lastStep(db)
  const known = migrations.at(-1)?.number ?? 0
  if (number > known) refuseNewer(number, known)
  if (number === known && isFinished) return
  throw new StoreOpenError(
    'older_schema',
    `The database has schema ${number}, this version needs ${known}: start a node with NODE_TYPE=master first.`,
  )
}

export function refuseNewer(found: number, known: number): never {
  throw new StoreOpenError(
    'newer_schema',
    `The database has schema ${found}, this version knows ${known}. Start the newer version, or restore a backup.`,
  )
}

async function createMark(db: Db, traits: Traits): Promise<void> {
  const { types, tableSuffix } = traits
  const columns = `number ${types.int4} not null primary key, name ${types.text} not null, applied_ms ${types.int8} not null`
  await sql
    .raw(`create table if not exists ${traits.quote(SCHEMA_MARK)} (${columns}) ${tableSuffix}`)
    .execute(db)
}

interface Step {
  readonly number: number
  /** False when a step without transaction was started and its process ended before it was finished. */
  readonly isFinished: boolean
}

const mark = sql.table(SCHEMA_MARK)

export async function lastStep(db: Db): Promise<Step> {
  const { rows } = await sql<{ number: number; applied_ms: number }>`
    select number, applied_ms from ${mark} where number < ${IMPORT_MARK} order by number desc limit 1`.execute(
    db,
  )
  return { number: rows[0]?.number ?? 0, isFinished: rows[0]?.applied_ms !== 0 }
}

function apply(db: Db, traits: Traits, migration: Migration): Promise<void> {
  return traits.hasTransactionalDdl
    ? applyWhole(db, traits, migration)
    : applyPiecemeal(db, traits, migration)
}

async function applyWhole(db: Db, traits: Traits, migration: Migration): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const statement of migration.statements(traits)) await sql.raw(statement).execute(transaction)
    const { number, name } = migration
    await sql`insert into ${mark} values (${number}, ${name}, ${Date.now()})`.execute(transaction)
  })
}

/**
 * Records the start and the end of a step separately. When a step is repeated, statements that were already
 * executed are skipped.
 */
async function applyPiecemeal(db: Db, traits: Traits, migration: Migration): Promise<void> {
  const { number, name } = migration
  const { rows } = await sql`select number from ${mark} where number = ${number}`.execute(db)
  const isTakenUp = rows.length > 0
  if (!isTakenUp) await sql`insert into ${mark} values (${number}, ${name}, 0)`.execute(db)
  for (const statement of migration.statements(traits))
    await sql
      .raw(statement)
      .execute(db)
      .catch((error: unknown) => {
        if (!isTakenUp || !traits.isAlreadyDone(error)) throw error
      })
  await sql`update ${mark} set applied_ms = ${Date.now()} where number = ${number}`.execute(db)
}
