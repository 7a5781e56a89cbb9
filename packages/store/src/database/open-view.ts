import { existsSync } from 'node:fs'
import { sql, Kysely } from 'kysely'
import { StoreError, StoreOpenError } from './errors.ts'
import { IMPORT_MARK, refuseUnfinishedImport } from '../transfer/unfinished-import.ts'
import { migrations } from '../migrations/index.ts'
import type { Db, Database } from '../tables/schema.ts'
import { nameOf } from '../server/address.ts'
import type { ConnectOptions } from '../server/connection.ts'
import { isServerDsn, parseDsn } from '../server/dsn.ts'
import { loadEngine } from '../server/load-engine.ts'
import { type EngineHost, startThread } from '../sqlite/host.ts'
import { sqliteDialect } from '../sqlite/kysely-dialect.ts'
import { SCHEMA_MARK } from '../sqlite/open-database.ts'
import { SqlitePort } from '../sqlite/port.ts'
import { type Traits, sqliteTraits } from './traits.ts'
import { overOne } from '../server/one-connection.ts'

/**
 * A read-only snapshot of a database at the moment of opening, over one connection. Other processes may write
 * meanwhile, but space that they free is reused only after the view is closed.
 */
export interface StoreView {
  /** Name for messages: the file, or the server and the database. */
  readonly name: string
  readonly db: Db
  readonly traits: Traits
  close(): Promise<void>
}

export interface ViewOptions {
  readonly dsn?: string
  readonly sqlitePath?: string
}

/**
 * Rejects with a {@link StoreOpenError}: `no_database` when the database is missing or empty, other reasons
 * when its schema is not the expected one.
 */
export async function openView(options: ViewOptions): Promise<StoreView> {
  return checked(await openAnyView(options), requireOurSchema)
}

/** Opens a database of Tollgate whose tables may be of an earlier version, or incomplete. */
export async function openViewOfAnyVersion(options: ViewOptions): Promise<StoreView> {
  return checked(await openAnyView(options), async (view) => void (await readMark(view)))
}

function openAnyView({ dsn = '', sqlitePath = '' }: ViewOptions): Promise<StoreView> {
  return isServerDsn(dsn) ? openServerView(dsn) : openSqliteView(sqlitePath)
}

async function checked(view: StoreView, check: (view: StoreView) => Promise<void>): Promise<StoreView> {
  try {
    await check(view)
    return view
  } catch (error) {
    await view.close()
    throw error
  }
}

async function openSqliteView(path: string): Promise<StoreView> {
  if (!existsSync(path))
    throw new StoreOpenError('no_database', `There is no database ${path}: see SQLITE_PATH.`)
  const reader = await startThread({ path, role: 'reader' })
  const port = new SqlitePort(refusingWriter, reader)
  const db = new Kysely<Database>({ dialect: sqliteDialect(port) })
  const close = async (): Promise<void> => {
    await db.destroy()
    await reader.send({ type: 'close' })
  }
  await reader.send({ type: 'query', sql: 'begin', parameters: [] }).catch(async (cause: unknown) => {
    await close()
    throw new StoreOpenError('not_reachable', `The database ${path} cannot be read.`, { cause })
  })
  return { name: path, db, traits: sqliteTraits, close }
}

const refusingWriter: EngineHost = {
  pending: 0,
  send: () => Promise.reject(new StoreError('bug', 'a view only reads')),
}

const DAY_MS = 86_400_000
/** Long limits, because a reader of the whole database may take long. */
const PATIENT: ConnectOptions = {
  statementMs: DAY_MS,
  silentTransactionMs: DAY_MS,
  lockMs: 10_000,
  connectMs: 10_000,
}

const BEGIN = {
  postgres: ['begin isolation level repeatable read, read only'],
  mysql: [
    'set session transaction isolation level repeatable read',
    'start transaction with consistent snapshot, read only',
  ],
} as const

/** A reader of a whole view may hold its only connection for long. */
const VIEW_MS = 86_400_000

async function openServerView(dsn: string): Promise<StoreView> {
  const address = parseDsn(dsn)
  const engine = await loadEngine(address)
  const connection = await engine.connect(PATIENT).catch((error: unknown) => {
    throw engine.explain(error)
  })
  try {
    const traits = await engine.check(connection)
    await engine.prepare(connection)
    for (const statement of BEGIN[address.engine]) await connection.query(statement)
    return { name: nameOf(address), traits, ...overOne(engine, connection, { waitMs: VIEW_MS }) }
  } catch (error) {
    await connection.close()
    throw engine.explain(error)
  }
}

const TABLE_COUNTS: Readonly<Record<Traits['engine'], string>> = {
  sqlite: "select count(*) as count from sqlite_schema where type = 'table'",
  postgres: `select count(*) as count from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  mysql: 'select count(*) as count from information_schema.tables where table_schema = database()',
}

/**
 * Rejects a database with another schema. An older schema would be misread, and only the gateway itself
 * migrates it.
 */
async function requireOurSchema(view: StoreView): Promise<void> {
  const known = migrations.at(-1)?.number ?? 0
  const last = await readMark(view)
  await refuseUnfinishedImport(view.db)
  if (last === known) return
  const isOlder = last < known
  const advice = isOlder ? 'start the gateway once to bring it up to date' : 'use the newer version'
  throw new StoreOpenError(
    isOlder ? 'older_schema' : 'newer_schema',
    `The database ${view.name} has schema ${last}, this version knows ${known}: ${advice}.`,
  )
}

/** Number of the last schema step. Rejects an empty database and one of another program. */
async function readMark({ db, name, traits }: StoreView): Promise<number> {
  const tables = await sql.raw<{ count: number }>(TABLE_COUNTS[traits.engine]).execute(db)
  if (tables.rows[0]?.count === 0)
    throw new StoreOpenError('no_database', `The database ${name} is empty: start the gateway once.`)
  const mark = sql.table(SCHEMA_MARK)
  const found = await sql<{ last: number | null }>`
    select max(number) as last from ${mark} where number < ${IMPORT_MARK}`
    .execute(db)
    .catch((cause: unknown) => {
      throw new StoreOpenError('foreign_database', `${name} is no database of Tollgate.`, { cause })
    })
  return found.rows[0]?.last ?? 0
}
