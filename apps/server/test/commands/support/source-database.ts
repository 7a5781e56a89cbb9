import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hash } from 'bcryptjs'
import { mysqlEngine } from '@tollgate/store/mysql/engine'
import { postgresEngine } from '@tollgate/store/postgres/engine'
import type { ServerConnection } from '@tollgate/store/server/connection'
import { parseDsn } from '@tollgate/store/server/dsn'
import { type TestServer, answeringServers } from '@tollgate/testkit/databases'
import { caseTwins } from './source-oddities.ts'
import { type Cell, OLD_PASSWORD, type Row, type Tables } from './source-rows.ts'
import {
  SOURCE_TABLES,
  type SourceEngine,
  type SourceSchema,
  createStatement,
  quoted,
} from './source-schema.ts'
import { makeTables } from './source-tables.ts'

/** A handmade database with the schema of new-api's forks, to import from. */
export interface SourceDatabase {
  readonly engine: SourceEngine
  /** The value for `--from`. */
  readonly place: string
  /** Its rows by table. */
  readonly tables: Tables
  run(statement: string): Promise<void>
  drop(): Promise<void>
}

export interface SourceWish {
  readonly tables?: Tables
  /** Fewer rows: two batches of each large table. */
  readonly isSmall?: boolean
  /** Columns by table that an older release lacks. */
  readonly leftOut?: Readonly<Record<string, readonly string[]>>
  /** Other tables than those of the usual source. */
  readonly schema?: SourceSchema
}

export function rowsOf({ tables }: SourceDatabase, table: string): number {
  return tables[table]?.length ?? 0
}

/** A low cost, because these hashes protect nothing. */
const BCRYPT_COST = 4
let passwordHash: Promise<string> | undefined

export async function ordinaryTables(engine: SourceEngine): Promise<Tables> {
  const password = await (passwordHash ??= hash(OLD_PASSWORD, BCRYPT_COST))
  const tables = makeTables({ passwordHash: password })
  // MySQL's default collation would treat the two names as equal, so they are left out there.
  return engine === 'mysql'
    ? tables
    : { ...tables, users: [...(tables['users'] ?? []), ...caseTwins(password)] }
}

/** More than one batch of the import, which has 500 rows. */
const SMALL = 600

function smaller(tables: Tables): Tables {
  const few = (rows: readonly Row[] = []) =>
    rows.filter(({ id }) => Number(id) <= SMALL || Number(id) > 5_000)
  const { users, tokens, logs } = tables
  const owned = few(tokens).filter((row) => Number(row['user_id']) !== SMALL + 1)
  return { ...tables, users: few(users), tokens: owned, logs: logs?.slice(0, SMALL) ?? [] }
}

async function tablesFor(engine: SourceEngine, { tables, isSmall }: SourceWish): Promise<Tables> {
  const all = tables ?? (await ordinaryTables(engine))
  return isSmall ? smaller(all) : all
}

export async function sqliteSource(wish: SourceWish = {}): Promise<SourceDatabase> {
  const { leftOut = {}, schema = SOURCE_TABLES } = wish
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-source-'))
  const place = join(folder, 'one-api.db')
  const database = new DatabaseSync(place)
  const content = await tablesFor('sqlite', wish)
  database.exec('begin')
  for (const table of Object.keys(schema)) {
    database.exec(createStatement('sqlite', table, { schema, leftOut: leftOut[table] ?? [] }))
    for (const row of content[table] ?? []) {
      const entries = Object.entries(row).filter(([name]) => !leftOut[table]?.includes(name))
      const names = entries.map(([name]) => quoted('sqlite', name)).join(', ')
      const statement = `insert into ${table} (${names}) values (${entries.map(() => '?').join(', ')})`
      database
        .prepare(statement)
        .run(...entries.map(([, value]) => (typeof value === 'boolean' ? Number(value) : value)))
    }
  }
  database.exec('commit')
  database.close()
  return {
    engine: 'sqlite',
    place,
    tables: content,
    run: async (statement) => {
      const again = new DatabaseSync(place)
      again.exec(statement)
      again.close()
    },
    drop: async () => rmSync(folder, { recursive: true }),
  }
}

/** One entry for each database server that responds; the others are skipped with a printed notice. */
export async function sourceServers(): Promise<readonly SourceServer[]> {
  return (await answeringServers()).map((server) => ({
    label: server.label,
    make: (wish = {}) => serverSource(server, wish),
  }))
}

export interface SourceServer {
  readonly label: string
  readonly make: (wish?: Omit<SourceWish, 'leftOut'>) => Promise<SourceDatabase>
}

const LIMITS = { statementMs: 60_000, silentTransactionMs: 60_000, lockMs: 10_000, connectMs: 3_000 }

async function serverSource(server: TestServer, wish: SourceWish): Promise<SourceDatabase> {
  const { dsn, drop } = await server.createDatabase()
  const address = parseDsn(dsn)
  const { engine } = address
  const connect = () => (engine === 'mysql' ? mysqlEngine(address) : postgresEngine(address)).connect(LIMITS)
  const tables = await tablesFor(engine, wish)
  const connection = await connect()
  await connection.query('begin')
  const { schema = SOURCE_TABLES } = wish
  for (const table of Object.keys(schema)) {
    await connection.query(createStatement(engine, table, { schema }))
    await insertAll(connection, { engine, table, rows: tables[table] ?? [] })
  }
  await connection.query('commit')
  await connection.close()
  const run = async (statement: string): Promise<void> => {
    const other = await connect()
    await other.query(statement)
    await other.close()
  }
  const place =
    engine === 'mysql' ? `${address.user}@tcp(${address.host}:${address.port})/${address.database}` : dsn
  return { engine, place, tables, run, drop }
}

const ROWS_AT_ONCE = 200

async function insertAll(
  connection: ServerConnection,
  { engine, table, rows }: { engine: SourceEngine; table: string; rows: readonly Row[] },
): Promise<void> {
  // Rows with the same columns are inserted together.
  for (const alike of Map.groupBy(rows, (row) => Object.keys(row).join(',')).values())
    for (let start = 0; start < alike.length; start += ROWS_AT_ONCE) {
      const batch = alike.slice(start, start + ROWS_AT_ONCE)
      const names = Object.keys(batch[0] ?? {})
      const values = batch.flatMap((row) => names.map((name) => toParameter(engine, row[name] ?? null)))
      const marks = batch.map(
        (_, index) => `(${names.map((__, at) => mark(engine, index * names.length + at + 1)).join(', ')})`,
      )
      const columns = names.map((name) => quoted(engine, name)).join(', ')
      await connection.query(
        `insert into ${quoted(engine, table)} (${columns}) values ${marks.join(', ')}`,
        values,
      )
    }
}

function mark(engine: SourceEngine, number: number): string {
  return engine === 'postgres' ? `$${number}` : '?'
}

/** MySQL stores times without a zone. */
function toParameter(engine: SourceEngine, value: Cell): Cell {
  return engine === 'mysql' && typeof value === 'string'
    ? value.replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\+00:00$/, '$1')
    : value
}
