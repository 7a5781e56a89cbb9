import { mysqlEngine } from '@tollgate/store/mysql/engine'
import { postgresEngine } from '@tollgate/store/postgres/engine'
import { parseDsn } from '@tollgate/store/server/dsn'
import type { ServerConnection } from '@tollgate/store/server/connection'
import type { ServerEngine } from '@tollgate/store/server/engine'
import { DATABASE_PREFIX, TEST_RUN, newName } from './database-names.ts'
import { isCounted, readServerAddress, reportMissing } from './missing-servers.ts'
import { type CopyServer, copyOnMysql, copyOnPostgres } from './schema-copies.ts'

/** A database server on which tests may create databases. */
export interface TestServer {
  readonly label: 'PostgreSQL' | 'MariaDB' | 'MySQL'
  /** Runs a statement as the server's administrator, on a connection of its own. */
  readonly run: (sql: string) => Promise<void>
  /** Creates an empty database with an unused name. */
  readonly createDatabase: () => Promise<TestDatabase>
  /** Creates a database with an unused name and the current schema. */
  readonly createMigrated: () => Promise<TestDatabase>
  /** A database with this name, which may exist already. It is neither created nor checked. */
  readonly databaseNamed: (name: string) => TestDatabase
}

export interface TestDatabase {
  readonly name: string
  readonly dsn: string
  /** Drops it, or leaves a new database of a test run to `dropDatabases`. */
  readonly drop: () => Promise<void>
}

/** How test databases are dropped and found on each kind of server. */
const KINDS = [
  {
    name: 'postgres',
    dropSuffix: ' with (force)',
    listed: `select datname from pg_database where datname like '${DATABASE_PREFIX}%'`,
  },
  { name: 'mysql', dropSuffix: '', listed: `show databases like '${DATABASE_PREFIX}%'` },
] as const

/**
 * The servers that respond. A server that does not respond is skipped with a warning on the console, or fails
 * the run when TOLLGATE_REQUIRE_SERVERS is set. `npm test` starts those that are missing.
 */
export async function answeringServers(): Promise<readonly TestServer[]> {
  const all = await Promise.all(KINDS.map(find))
  return all.filter((server) => server !== undefined)
}

/**
 * Drops the databases whose names are chosen, one after the other on each server. A server that does not
 * respond is skipped.
 */
export async function dropDatabases(isChosen: (name: string) => boolean): Promise<void> {
  await Promise.all(
    KINDS.map(async ({ name: kind, dropSuffix, listed }) => {
      const connection = await connect(engineFor(readServerAddress(kind))).catch(() => undefined)
      if (!connection) return
      try {
        const names = (await connection.query(listed)).rows.map(([name]) => String(name))
        for (const name of names.filter(isChosen)) await connection.query(dropStatement(name, dropSuffix))
      } finally {
        await connection.close()
      }
    }),
  )
}

async function find({ name, dropSuffix }: (typeof KINDS)[number]): Promise<TestServer | undefined> {
  if (isCounted(name)) return countedServer(name)
  const dsn = readServerAddress(name)
  const engine = engineFor(dsn)
  const run = async (sql: string): Promise<void> => {
    await askOnce(engine, sql)
  }
  let label: TestServer['label']
  try {
    label = labelOf(await askOnce(engine, 'select version()'))
  } catch (error) {
    reportMissing(name, error)
    return undefined
  }
  const place = { dsn, run, dropSuffix }
  return {
    label,
    run,
    createDatabase: () => createDatabase(place),
    createMigrated: () => createMigrated(place),
    databaseNamed: (name) => databaseNamed(place, name),
  }
}

/** Stands for a server while tests are only counted. */
function countedServer(name: 'postgres' | 'mysql'): TestServer {
  const label = name === 'postgres' ? 'PostgreSQL' : 'MariaDB'
  const refuse = (): never => {
    throw new Error(`The tests are only counted, and there is no ${label}.`)
  }
  return { label, run: refuse, createDatabase: refuse, createMigrated: refuse, databaseNamed: refuse }
}

function engineFor(dsn: string): ServerEngine {
  const address = parseDsn(dsn)
  return address.engine === 'postgres' ? postgresEngine(address) : mysqlEngine(address)
}

function labelOf(version: string): TestServer['label'] {
  if (version.startsWith('PostgreSQL')) return 'PostgreSQL'
  return /mariadb/i.test(version) ? 'MariaDB' : 'MySQL'
}

/** Runs one statement on a connection of its own and returns the first value of the result. */
async function askOnce(engine: ServerEngine, sql: string): Promise<string> {
  return String((await rowsOnce(engine, sql))[0]?.[0])
}

async function rowsOnce(engine: ServerEngine, sql: string): Promise<readonly (readonly unknown[])[]> {
  const connection = await connect(engine)
  try {
    return (await connection.query(sql)).rows
  } finally {
    await connection.close()
  }
}

function connect(engine: ServerEngine): Promise<ServerConnection> {
  return engine.connect({
    statementMs: 30_000,
    silentTransactionMs: 30_000,
    lockMs: 30_000,
    connectMs: 3_000,
  })
}

interface Place {
  readonly dsn: string
  readonly run: (sql: string) => Promise<void>
  readonly dropSuffix: string
}

async function createDatabase(place: Place): Promise<TestDatabase> {
  const name = newName()
  await place.run(`create database ${name}`)
  return newDatabase(place, name)
}

async function createMigrated(place: Place): Promise<TestDatabase> {
  const { dsn } = place
  const server: CopyServer = {
    ask: (sql, database) => rowsOnce(engineFor(database === undefined ? dsn : dsnOf(dsn, database)), sql),
    connect: (database) => connect(engineFor(dsnOf(dsn, database))),
    dsnOf: (database) => dsnOf(dsn, database),
  }
  const name = newName()
  await (parseDsn(dsn).engine === 'postgres' ? copyOnPostgres : copyOnMysql)(server, name)
  return newDatabase(place, name)
}

function newDatabase(place: Place, name: string): TestDatabase {
  const database = databaseNamed(place, name)
  return process.env[TEST_RUN] === undefined ? database : { ...database, drop: async () => {} }
}

function databaseNamed({ dsn, run, dropSuffix }: Place, name: string): TestDatabase {
  return { name, dsn: dsnOf(dsn, name), drop: () => run(dropStatement(name, dropSuffix)) }
}

const dropStatement = (name: string, suffix: string): string => `drop database if exists ${name}${suffix}`

function dsnOf(dsn: string, database: string): string {
  const url = new URL(dsn)
  url.pathname = `/${database}`
  return url.href
}
