import { createHash } from 'node:crypto'
import { type Traits, mysqlTraits, postgresTraits } from '@tollgate/store/database/traits'
import { openStore } from '@tollgate/store/database/open-store'
import { migrations } from '@tollgate/store/migrations/index'
import type { ServerConnection } from '@tollgate/store/server/connection'
import { newName } from './database-names.ts'

/**
 * Creates databases with the current schema on a server. Running all migrations takes up to half a second of
 * CPU time, so they run once, and the result is copied.
 */

/** What copies need from a test server. */
export interface CopyServer {
  /** On a connection of its own, to `database` or to the administrator's. Returns the rows. */
  readonly ask: (sql: string, database?: string) => Promise<readonly (readonly unknown[])[]>
  readonly connect: (database: string) => Promise<ServerConnection>
  readonly dsnOf: (database: string) => string
}

export type Copy = (server: CopyServer, name: string) => Promise<void>

let template: Promise<string> | undefined

/** PostgreSQL copies a whole database. */
export const copyOnPostgres: Copy = async (server, name) => {
  template ??= postgresTemplate(server)
  await server.ask(`create database ${name} template ${await template}`)
}

async function postgresTemplate(server: CopyServer): Promise<string> {
  const name = templateName(postgresTraits)
  const isThere = async () =>
    (await server.ask(`select 1 from pg_database where datname = '${name}'`)).length > 0
  if (await isThere()) return name
  const draft = newName()
  await migrateNew(server, draft)
  try {
    await server.ask(`alter database ${draft} rename to ${name}`)
  } catch (error) {
    // Another process was faster.
    await server.ask(`drop database ${draft} with (force)`)
    if (!(await isThere())) throw error
  }
  return name
}

/** Its name says which schema a template has, so that it can stay on the server for later runs. */
function templateName(traits: Traits): string {
  const steps = migrations.map((step) => [step.number, step.name, step.statements(traits)])
  return `tollgate_schema_${createHash('sha256').update(JSON.stringify(steps)).digest('hex').slice(0, 16)}`
}

let statements: Promise<readonly string[]> | undefined

/** MySQL and MariaDB copy no databases, so the statements that describe the tables are run again. */
export const copyOnMysql: Copy = async (server, name) => {
  statements ??= mysqlStatements(server)
  await server.ask(`create database ${name}`)
  const connection = await server.connect(name)
  try {
    for (const statement of await statements) await connection.query(statement)
  } finally {
    await connection.close()
  }
}

async function mysqlStatements(server: CopyServer): Promise<readonly string[]> {
  const [[version] = []] = await server.ask('select version()')
  const name = templateName(mysqlTraits({ isMariaDb: /mariadb/i.test(String(version)) }))
  await server.ask(`create database if not exists ${name}`)
  // Only one process runs the migrations; it also completes those of a run that was ended.
  await migrate(server, name)
  const tables = await server.ask('show tables', name)
  const shown = await Promise.all(
    tables.map(async ([table]) =>
      String((await server.ask(`show create table ${String(table)}`, name))[0]?.[1]),
    ),
  )
  const steps = await server.ask('select number, name, applied_ms from schema_migration', name)
  const values = steps.map(([number, step, ms]) => `(${String(number)}, '${String(step)}', ${String(ms)})`)
  // The tables are not in the order of their references.
  return ['set foreign_key_checks = 0', ...shown, `insert into schema_migration values ${values.join(', ')}`]
}

async function migrateNew(server: CopyServer, name: string): Promise<void> {
  await server.ask(`create database ${name}`)
  await migrate(server, name)
}

async function migrate(server: CopyServer, name: string): Promise<void> {
  const store = await openStore({ dsn: server.dsnOf(name) })
  await store.close()
}
