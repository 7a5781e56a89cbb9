import { Client, type QueryArrayResult } from 'pg'
import { StoreError } from '../database/errors.ts'
import type { ServerAddress } from '../server/address.ts'
import {
  type ConnectOptions,
  type QueryAnswer,
  type QueryOptions,
  type ServerConnection,
  withDeadline,
} from '../server/connection.ts'
import { toBound } from '../server/values.ts'
import type { ColumnNames } from './column-names.ts'
import { toStoreError } from './failures.ts'
import { readerOf, toWire } from './values.ts'
import { refuseOld } from './version.ts'

export interface PostgresOptions extends ConnectOptions {
  readonly address: ServerAddress
  readonly names: ColumnNames
  /** A pooler gives a connection of the server to each transaction: nothing of a session is kept. */
  readonly isPooled?: boolean
}

/** Connects and applies the session settings. Rejects with the driver's own error. */
export async function connectPostgres(options: PostgresOptions): Promise<ServerConnection> {
  const { address, statementMs, connectMs } = options
  const client = new Client({
    host: address.socketPath ?? address.host,
    port: address.port,
    user: address.user,
    password: address.password.reveal(),
    database: address.database,
    application_name: 'tollgate',
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    pipeline: !options.isPooled && (options.isPipelined ?? false),
    ssl: address.encryption !== 'off' && {
      rejectUnauthorized: address.encryption === 'verified',
      ...(address.authorities !== undefined && { ca: address.authorities }),
    },
    types: { getTypeParser: () => (text: string) => text },
  })
  const connection = new PostgresConnection(client, options)
  await client.connect()
  if (options.isPooled) return connection
  const isSet = client.query(sessionSettings(options)).catch((error: unknown) => explainOld(client, error))
  try {
    await withDeadline(isSet, statementMs, () => connection.destroy())
    return connection
  } catch (error) {
    connection.destroy()
    throw error
  }
}

/** If the server does not know a setting, it is probably too old; the error then says so. */
async function explainOld(client: Client, error: unknown): Promise<never> {
  const reported = await client
    .query<{ server_version: string }>('show server_version')
    .catch(() => undefined)
  const version = reported?.rows[0]?.server_version
  if (version !== undefined) refuseOld(version)
  throw error
}

/**
 * Session settings. `synchronous_commit` is on, so a commit is durable before it is acknowledged, whatever
 * the default of the database is.
 */
function sessionSettings({ statementMs, silentTransactionMs, lockMs, isKeyed }: ConnectOptions): string {
  const settings = {
    client_encoding: 'UTF8',
    timezone: 'UTC',
    standard_conforming_strings: 'on',
    synchronous_commit: 'on',
    default_transaction_isolation: 'read committed',
    // The statements are short. With the settings in KEYED, the planner's cost estimates are so high that it
    // would JIT-compile such plans every time.
    jit: 'off',
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: silentTransactionMs,
    lock_timeout: lockMs,
    ...(isKeyed && KEYED),
  }
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} to '${value}'`)
    .join('; ')
}

/** The settings of one transaction, behind a pooler. Those of a single statement are the server's own. */
function transactionSettings(options: ConnectOptions): string {
  return sessionSettings(options)
    .split('; ')
    .filter((line) => !line.startsWith('set client_encoding') && !line.startsWith('set default_transaction'))
    .map((line) => line.replace('set ', 'set local '))
    .join('; ')
}

/**
 * Prevents table scans. A plan prepared while a table was small and quickly scanned would otherwise be kept
 * after the table has grown.
 */
const KEYED = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' }

const BEGIN = /^\s*(begin|start transaction)\b/i

class PostgresConnection implements ServerConnection {
  readonly #client: Client
  readonly #names: ColumnNames
  readonly #deadlineMs: number
  /** Sent with the beginning of each transaction; `undefined` without a pooler. */
  readonly #begin: string | undefined
  #isUsable = true

  constructor(client: Client, options: PostgresOptions) {
    const { names, statementMs, isPooled = false } = options
    this.#client = client
    this.#names = names
    // The server's own time limit fires first and leaves the connection usable.
    this.#deadlineMs = statementMs + 1_000
    this.#begin = isPooled ? transactionSettings(options) : undefined
    client.on('error', () => (this.#isUsable = false))
    client.on('end', () => (this.#isUsable = false))
  }

  get serverId(): number {
    // node-postgres has `processID`, but its types do not declare it.
    return 'processID' in this.#client ? Number(this.#client.processID) : 0
  }

  get isUsable(): boolean {
    return this.#isUsable
  }

  async query(
    sql: string,
    parameters: readonly unknown[] = [],
    options: QueryOptions = {},
  ): Promise<QueryAnswer> {
    const values = parameters.map((value) => toWire(toBound(value)))
    if (this.#begin !== undefined && BEGIN.test(sql)) return this.#beginPooled(sql, this.#begin)
    // A prepared statement would be known to one connection of the server, and the next transaction may have another.
    const named = this.#begin === undefined ? options : {}
    const request = { text: sql, values, rowMode: 'array' as const, ...named }
    const answer = this.#client.query<(string | null)[]>(request)
    try {
      return this.#toAnswer(await withDeadline(answer, this.#deadlineMs, () => this.destroy()), sql)
    } catch (error) {
      const failure = toStoreError(error)
      if (failure.kind === 'unreachable') this.destroy()
      throw failure
    }
  }

  /** One message, so that it costs no further round trip. */
  async #beginPooled(sql: string, settings: string): Promise<QueryAnswer> {
    try {
      const answer = this.#client.query(`${sql}; ${settings}`)
      await withDeadline(answer, this.#deadlineMs, () => this.destroy())
      return { columns: [], rows: [], changes: 0n, insertId: 0n }
    } catch (error) {
      const failure = toStoreError(error)
      if (failure.kind === 'unreachable') this.destroy()
      throw failure
    }
  }

  destroy(): void {
    this.#isUsable = false
    this.#client.connection.stream.destroy()
  }

  async close(): Promise<void> {
    this.#isUsable = false
    // If the connection cannot be closed in order, it is gone already.
    await withDeadline(this.#client.end(), 1_000, () => this.destroy()).catch(() => undefined)
  }

  #toAnswer(
    { command, fields, rows, rowCount }: QueryArrayResult<(string | null)[]>,
    sql: string,
  ): QueryAnswer {
    // When a transaction has failed, PostgreSQL responds to its commit with ROLLBACK instead of an error.
    if (command === 'ROLLBACK' && /^commit/i.test(sql))
      throw new StoreError('bug', 'the transaction had failed and was rolled back')
    const readers = fields.map((field) => readerOf(field, this.#names))
    return {
      columns: fields.map((field) => field.name),
      rows: rows.map((row) =>
        row.map((text, index) => (text === null ? null : (readers[index]?.(text) ?? text))),
      ),
      changes: BigInt(rowCount ?? 0),
      insertId: 0n,
    }
  }
}
