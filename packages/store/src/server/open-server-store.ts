import { Kysely } from 'kysely'
import { StoreError, StoreOpenError } from '../database/errors.ts'
import { type MigrateOptions, migrate, requireSchema } from '../database/migrate.ts'
import type { Db, Database } from '../tables/schema.ts'
import { SCHEMA_MARK } from '../sqlite/open-database.ts'
import type { Traits } from '../database/traits.ts'
import { nameOf } from './address.ts'
import type { ConnectOptions, ServerConnection } from './connection.ts'
import { parseDsn } from './dsn.ts'
import type { ServerEngine } from './engine.ts'
import { serverDialect } from './kysely-dialect.ts'
import { loadEngine } from './load-engine.ts'
import { lockMigrations } from './migration-lock.ts'
import { ServerPool } from './pool.ts'
import { answers } from '../database/answers.ts'
import { overOne } from './one-connection.ts'

export interface ServerStoreOptions extends MigrateOptions {
  readonly dsn: string
  /** The DSN leads through a pooler that gives a connection to each transaction. */
  readonly isPooled?: boolean
  /** The same database without the pooler; needed to migrate through one. */
  readonly directDsn?: string
  /** Maximum number of pooled connections of this process. The ledger opens its own in addition. */
  readonly connectionsMax?: number
  /** False: this node does not migrate; another node must already have migrated the schema. */
  readonly mayMigrate?: boolean
}

export interface ServerStore {
  readonly db: Db
  readonly traits: Traits
  /** A server may become reachable again, so this is false only after closing. */
  readonly isWritable: boolean
  /** Access to the connections behind `db`. Only the ledger uses it and opens further ones. */
  readonly server: ServerAccess
  readonly ping: () => Promise<boolean>
  readonly close: () => Promise<void>
}

export interface ServerAccess {
  readonly pool: ServerPool
  /**
   * Opens a connection outside of the pool; it is closed with the store. Rejects with a {@link StoreError}.
   */
  connect(options?: Partial<ConnectOptions>): Promise<ServerConnection>
}

const CONNECTIONS_MAX = 10
const POOL_WAIT_MS = 5_000
const POOL_IDLE_MS = 30_000

/** Limits for the statements of the console and the jobs, which are short except for searches and cleanup. */
const SESSION: ConnectOptions = {
  statementMs: 30_000,
  silentTransactionMs: 30_000,
  lockMs: 10_000,
  connectMs: 5_000,
}
const WHILE_MIGRATING = { ...SESSION, statementMs: 24 * 3_600_000, lockMs: 60_000 }

/** Connects, checks the database and migrates its schema. Rejects with a {@link StoreOpenError}. */
export async function openServerStore(options: ServerStoreOptions): Promise<ServerStore> {
  const { dsn, connectionsMax } = options
  const address = parseDsn(dsn)
  const engine = await loadEngine(address, { isPooled: options.isPooled ?? false })
  const traits = await prepareTables(engine, options)
  const connect = (options: Partial<ConnectOptions> = {}): Promise<ServerConnection> =>
    engine.connect({ ...SESSION, ...options }).catch((error: unknown) => {
      throw engine.toStoreError(error)
    })
  const pool = new ServerPool({
    connect,
    connectionsMax: connectionsMax ?? CONNECTIONS_MAX,
    waitMs: POOL_WAIT_MS,
    idleMs: POOL_IDLE_MS,
  })
  const db = new Kysely<Database>({ dialect: serverDialect(pool, engine.grammar) })
  const own = new OwnConnections(connect)
  return {
    db,
    traits,
    get isWritable() {
      return own.isOpen
    },
    server: { pool, connect: (options) => own.connect(options) },
    ping: () => answers(db),
    close: async () => {
      own.close()
      await db.destroy()
      await pool.close()
    },
  }
}

/** Keeps track of connections outside of the pool, so that they are closed with the store. */
class OwnConnections {
  readonly #connect: ServerAccess['connect']
  readonly #connections = new Set<ServerConnection>()
  isOpen = true

  constructor(connect: ServerAccess['connect']) {
    this.#connect = connect
  }

  async connect(options?: Partial<ConnectOptions>): Promise<ServerConnection> {
    for (const connection of this.#connections) if (!connection.isUsable) this.#connections.delete(connection)
    if (!this.isOpen) throw new StoreError('unreachable', 'the connections to the database are closed')
    const connection = await this.#connect(options)
    this.#connections.add(connection)
    return connection
  }

  close(): void {
    this.isOpen = false
    for (const connection of this.#connections) if (connection.isUsable) connection.destroy()
  }
}

/** Checks and migrates on a direct connection, where there is one, and reads the names of columns for this engine. */
async function prepareTables(engine: ServerEngine, options: ServerStoreOptions): Promise<Traits> {
  const { directDsn = '', isPooled = false } = options
  const direct = isPooled && directDsn !== '' ? await loadEngine(parseDsn(directDsn)) : engine
  const traits = await prepare(direct, options).catch(explainWith(direct))
  if (direct !== engine) await readNames(engine).catch(explainWith(engine))
  return traits
}

function explainWith(engine: ServerEngine): (error: unknown) => never {
  return (error) => {
    throw error instanceof StoreOpenError ? error : engine.explain(error)
  }
}

async function readNames(engine: ServerEngine): Promise<void> {
  const connection = await engine.connect(SESSION)
  try {
    await engine.prepare(connection)
  } finally {
    await connection.close()
  }
}

async function prepare(
  engine: ServerEngine,
  { mayMigrate = true, mayBeHalfImported, isPooled = false }: ServerStoreOptions,
): Promise<Traits> {
  const connection = await engine.connect(WHILE_MIGRATING)
  try {
    const traits = await engine.check(connection)
    if (!isPooled) await engine.refusePooler?.(connection)
    if (mayMigrate) await lockMigrations(engine, connection)
    const isEmpty = await refuseForeignTables(engine, connection)
    // On the connection that holds the migration lock. A migration that queries beside its own transaction would
    // wait for itself, so it soon fails.
    const { db } = overOne(engine, connection, { waitMs: 1_000 })
    await (mayMigrate ? migrate(db, traits, { mayBeHalfImported }) : requireSchema(db, isEmpty))
    await engine.prepare(connection)
    return traits
  } finally {
    await connection.close()
  }
}

/** Rejects a database with tables of another program. Returns whether it has no tables at all. */
async function refuseForeignTables(engine: ServerEngine, connection: ServerConnection): Promise<boolean> {
  const names = await engine.tables(connection)
  if (names.length === 0 || names.includes(SCHEMA_MARK)) return names.length === 0
  const some = names.slice(0, 3).join(', ')
  throw new StoreOpenError(
    'foreign_database',
    `The ${nameOf(engine.address)} belongs to another program (it has the tables ${some}).`,
  )
}
