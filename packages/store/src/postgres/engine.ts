import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { StoreOpenError } from '../database/errors.ts'
import { type ServerAddress, nameOf } from '../server/address.ts'
import type { ConnectOptions, ServerConnection } from '../server/connection.ts'
import type { ServerEngine } from '../server/engine.ts'
import { type ServerRefusal, explainRefusal } from '../server/explain.ts'
import { postgresTraits } from '../database/traits.ts'
import { ColumnNames } from './column-names.ts'
import { connectPostgres } from './connection.ts'
import { stateOf, toStoreError } from './failures.ts'
import { refuseOld } from './version.ts'

/** The characters "tollg" as the number that advisory locks need. */
const LOCK = 0x746f6c6c67n

export function postgresEngine(
  address: ServerAddress,
  { isPooled = false }: { readonly isPooled?: boolean } = {},
): ServerEngine {
  const names = new ColumnNames()
  const connect = (options: ConnectOptions) => connectPostgres({ ...options, address, names, isPooled })
  return {
    address,
    grammar: {
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
    connect,
    toStoreError,
    explain: (error) => explain(address, error),
    check: async (connection) => {
      await check(address, connection)
      return postgresTraits
    },
    refusePooler: (connection) => refusePooler(address, connection, connect),
    tables,
    tryLock: async (connection) => {
      const { rows } = await connection.query('select pg_try_advisory_lock($1)', [LOCK])
      return rows[0]?.[0] === 1
    },
    prepare: (connection) => names.load(connection),
  }
}

async function check(address: ServerAddress, connection: ServerConnection): Promise<void> {
  const { rows } = await connection.query(
    `select current_setting('server_version'), current_setting('server_encoding'), pg_is_in_recovery(),
     current_schema()`,
  )
  const [version, encoding, isReplica, schema] = rows[0] ?? []
  refuseOld(String(version))
  if (encoding !== 'UTF8')
    throw new StoreOpenError(
      'old_server',
      `The ${nameOf(address)} has the encoding ${String(encoding)}: make one with UTF8.`,
    )
  if (isReplica === 1)
    throw new StoreOpenError(
      'not_writable',
      `The ${nameOf(address)} is a replica that cannot be written: name its primary.`,
    )
  if (schema === null)
    throw new StoreOpenError(
      'no_rights',
      `The ${nameOf(address)} has no schema that the user may use (see search_path).`,
    )
}

/**
 * Two connections that are open at the same time have two backends, unless a pooler gives one of them to each transaction. The
 * first question is free: without a pooler the server's id of the connection is that of its backend.
 */
async function refusePooler(
  address: ServerAddress,
  connection: ServerConnection,
  connect: (options: ConnectOptions) => Promise<ServerConnection>,
): Promise<void> {
  const first = await readBackend(connection)
  if (first === connection.serverId) return
  const other = await connect(PROBING)
  try {
    if ((await readBackend(other)) !== first) return
  } finally {
    await other.close()
  }
  throw new StoreOpenError(
    'bad_dsn',
    `The ${nameOf(address)} is reached through a pooler that gives a connection to each transaction: set SQL_POOLER=transaction, and SQL_DIRECT_DSN to the address without the pooler.`,
  )
}

const PROBING: ConnectOptions = {
  statementMs: 5_000,
  silentTransactionMs: 5_000,
  lockMs: 1_000,
  connectMs: 5_000,
}

async function readBackend(connection: ServerConnection): Promise<number> {
  const { rows } = await connection.query('select pg_backend_pid()')
  return Number(rows[0]?.[0])
}

/** Tables in the schema, without those that belong to extensions. */
async function tables(connection: ServerConnection): Promise<readonly string[]> {
  const { rows } = await connection.query(
    `select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
     and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
     order by relname`,
  )
  return rows.map((row) => String(row[0]))
}

const REASONS: Readonly<Record<string, ServerRefusal['reason']>> = {
  '28P01': 'wrong_password',
  '28000': 'wrong_password',
  '3D000': 'no_database',
  '42501': 'no_rights',
}

function explain(address: ServerAddress, error: unknown): Error {
  const failure = toStoreError(error)
  return explainRefusal({ address, failure, reason: REASONS[stateOf(failure.cause) ?? ''] })
}
