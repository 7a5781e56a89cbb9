import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { type TestServer, answeringServers } from '@tollgate/testkit/databases'
import { sql } from 'kysely'

/** A kind of store to measure; each `create` returns a fresh, empty database. */
export interface MeasuredStore {
  readonly name: 'SQLite' | TestServer['label']
  /** Whether several processes may write at once. */
  readonly isShared: boolean
  create(): Promise<FreshDatabase>
}

export interface FreshDatabase {
  /** Opens another connection, as another process would. */
  open(): Promise<Store>
  /** Simulates half a minute without heartbeats, after which instances that disappeared count as dead. */
  silence(store: Store): Promise<void>
  /** Deadlocks that the server has detected, on some servers counted over all of their databases. */
  deadlocks(store: Store): Promise<number>
  drop(): Promise<void>
}

/** Finds the stores that can be measured here, and for the others the reason why not. */
export async function findStores(): Promise<{
  stores: readonly MeasuredStore[]
  leftOut: readonly string[]
}> {
  const servers = await answeringServers()
  const hasPostgres = servers.some(({ label }) => label === 'PostgreSQL')
  const hasMysql = servers.some(({ label }) => label !== 'PostgreSQL')
  const missing = [...(hasPostgres ? [] : ['PostgreSQL']), ...(hasMysql ? [] : ['MariaDB or MySQL'])]
  return {
    stores: [sqliteStore, ...servers.map(serverStore)],
    leftOut: missing.map((name) => `${name}: no server answers (the lines on top say where it was sought)`),
  }
}

const sqliteStore: MeasuredStore = {
  name: 'SQLite',
  isShared: false,
  create: async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tollgate-bench-ledger-'))
    return {
      open: () => openStore({ sqlitePath: join(directory, 'ledger.db') }),
      silence: async () => undefined,
      deadlocks: async () => 0,
      drop: async () => rmSync(directory, { recursive: true }),
    }
  },
}

function serverStore(server: TestServer): MeasuredStore {
  return {
    name: server.label,
    isShared: true,
    create: async () => {
      const { dsn, drop } = await server.createDatabase()
      return {
        open: () => openStore({ dsn }),
        silence: async ({ db }) => void (await db.updateTable('instance').set({ heartbeat_ms: 0 }).execute()),
        deadlocks: ({ db }) => deadlocksOf[server.label](db),
        drop,
      }
    },
  }
}

const deadlocksOf = {
  PostgreSQL: async (db: Store['db']): Promise<number> => {
    const { rows } = await sql<{ found: number }>`
      select deadlocks as found from pg_stat_database where datname = current_database()`.execute(db)
    return rows[0]?.found ?? 0
  },
  MariaDB: async (db: Store['db']): Promise<number> => {
    const { rows } = await sql<{ Value: string }>`show global status like 'Innodb_deadlocks'`.execute(db)
    return Number(rows[0]?.Value ?? 0)
  },
  MySQL: async (db: Store['db']): Promise<number> => {
    const { rows } = await sql<{ found: number }>`
      select count as found from information_schema.innodb_metrics where name = 'lock_deadlocks'`.execute(db)
    return rows[0]?.found ?? 0
  },
}
