import { StoreError } from '@tollgate/store/database/errors'
import { mysqlEngine } from '@tollgate/store/mysql/engine'
import { postgresEngine } from '@tollgate/store/postgres/engine'
import type { ServerConnection } from '@tollgate/store/server/connection'
import { parseDsn } from '@tollgate/store/server/dsn'
import type { TestServer } from '@tollgate/testkit/databases'

const own = (table: string) => `\`${table}\``

const LIMITS = { statementMs: 30_000, silentTransactionMs: 30_000, lockMs: 30_000, connectMs: 3_000 }

/** A state of a database to which it can be set back while it is used, as by a failover to an older standby. */
export interface EarlierState {
  setBack(): Promise<void>
  drop(): Promise<void>
}

/** Keeps the rows of all tables as they are at one moment. */
export async function keepState(server: TestServer, dsn: string): Promise<EarlierState> {
  const kept = await server.createDatabase()
  return server.label === 'PostgreSQL' ? keepPostgres(dsn, kept.drop) : keepMysql(dsn, kept)
}

async function keepPostgres(dsn: string, dropUnused: () => Promise<void>): Promise<EarlierState> {
  await dropUnused()
  const engine = postgresEngine(parseDsn(dsn))
  const connection = await engine.connect(LIMITS)
  const tables = await engine.tables(connection)
  const all = tables.map((table) => `"${table}"`).join(', ')
  await run(connection, [
    'create schema kept',
    'begin isolation level repeatable read',
    ...tables.map((table) => `create table kept."${table}" as table "${table}"`),
    'commit',
  ])
  return {
    setBack: () =>
      untilNoDeadlock(connection, [
        'begin',
        "set local session_replication_role = 'replica'",
        `lock table ${all} in access exclusive mode`,
        ...tables.map((table) => `delete from "${table}"`),
        ...tables.map((table) => `insert into "${table}" overriding system value table kept."${table}"`),
        'commit',
      ]),
    drop: () => connection.close(),
  }
}

async function keepMysql(
  dsn: string,
  { name, drop }: { readonly name: string; readonly drop: () => Promise<void> },
): Promise<EarlierState> {
  const engine = mysqlEngine(parseDsn(dsn))
  const connection = await engine.connect(LIMITS)
  const tables = await engine.tables(connection)
  const both = (mode: string, keptMode: string) =>
    `lock tables ${tables.map((table) => `\`${table}\` ${mode}, ${name}.\`${table}\` ${keptMode}`).join(', ')}`
  const copy = (to: (table: string) => string, from: (table: string) => string) =>
    tables.map((table) => `insert into ${to(table)} select * from ${from(table)}`)
  const kept = (table: string) => `${name}.\`${table}\``
  await run(connection, [
    ...tables.map((table) => `create table ${kept(table)} as select * from ${own(table)} where false`),
    both('read', 'write'),
    ...copy(kept, own),
    'unlock tables',
  ])
  return {
    setBack: () =>
      run(connection, [
        'set foreign_key_checks = 0',
        both('write', 'read'),
        ...tables.map((table) => `delete from ${own(table)}`),
        ...copy(own, kept),
        'unlock tables',
      ]),
    drop: async () => {
      await connection.close()
      await drop()
    },
  }
}

/** Nodes lock the same tables in another order. */
async function untilNoDeadlock(connection: ServerConnection, statements: readonly string[]): Promise<void> {
  for (;;)
    try {
      return await run(connection, statements)
    } catch (error) {
      if (!(error instanceof StoreError && error.kind === 'busy')) throw error
      await connection.query('rollback')
    }
}

async function run(connection: ServerConnection, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await connection.query(statement)
}
