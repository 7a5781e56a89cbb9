import type { ServerAddress } from '@tollgate/store/server/address'
import { nameOf } from '@tollgate/store/server/address'
import { postgresEngine } from '@tollgate/store/postgres/engine'
import { Client } from 'pg'
import type { SourceConnection } from './source-connection.ts'
import { SourceError, type SourceRow, type SourceValue } from './source.ts'

const CONNECT_MS = 10_000

/** Keeps one read-only transaction open until the end, so that all tables are read at the same moment. */
export async function connectPostgres(address: ServerAddress): Promise<SourceConnection> {
  const client = new Client({
    host: address.socketPath ?? address.host,
    port: address.port,
    user: address.user,
    password: address.password.reveal(),
    database: address.database,
    application_name: 'tollgate import',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ssl: address.encryption !== 'off' && { rejectUnauthorized: address.encryption === 'verified' },
    types: { getTypeParser: parserOf },
  })
  // The pending query rejects with the error. Without a listener an `error` event would end the process.
  client.on('error', () => undefined)
  const query = async (sql: string): Promise<readonly SourceRow[]> => {
    try {
      return (await client.query<SourceRow>(sql)).rows
    } catch (cause) {
      throw lost(address, cause)
    }
  }
  await client.connect().catch((error: unknown) => {
    throw postgresEngine(address).explain(error)
  })
  for (const statement of SESSION) await query(statement)
  return {
    name: nameOf(address),
    quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
    textType: 'text',
    query,
    columns: () =>
      query(
        `select table_name, column_name, data_type, column_default from information_schema.columns
          where table_schema = current_schema()`,
      ),
    close: () => client.end(),
  }
}

const SESSION = [
  "set client_encoding to 'UTF8'; set timezone to 'UTC'; set datestyle to 'ISO'",
  'set idle_in_transaction_session_timeout to 0; set statement_timeout to 0',
  'begin isolation level repeatable read, read only',
]

const BOOLEAN = 16
const INTEGERS: ReadonlySet<number> = new Set([20, 21, 23, 26])
const FLOATS: ReadonlySet<number> = new Set([700, 701])
const PADDED_TEXT = 1042

type Parser = (text: string) => SourceValue

/** PostgreSQL pads `char(n)` with blanks, which are not part of a key. */
function parserOf(type: number): Parser {
  if (INTEGERS.has(type)) return BigInt
  if (type === BOOLEAN) return (text) => (text === 't' ? 1n : 0n)
  if (FLOATS.has(type)) return Number
  if (type === PADDED_TEXT) return (text) => text.trimEnd()
  return String
}

function lost(address: ServerAddress, cause: unknown): SourceError {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new SourceError(`The ${nameOf(address)} cannot be read: ${message}.`, { cause })
}
