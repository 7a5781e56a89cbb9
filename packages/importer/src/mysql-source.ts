import { mysqlEngine } from '@tollgate/store/mysql/engine'
import type { ServerAddress } from '@tollgate/store/server/address'
import { nameOf } from '@tollgate/store/server/address'
import mysql, { type Connection } from 'mysql2'
import type { SourceConnection } from './source-connection.ts'
import { SourceError, type SourceRow, type SourceValue } from './source.ts'

const CONNECT_MS = 10_000

/** Keeps one read-only transaction open until the end, so that all tables are read at the same moment. */
export async function connectMysql(address: ServerAddress): Promise<SourceConnection> {
  const { encryption } = address
  const isVerified = encryption === 'verified'
  const driver = mysql.createConnection({
    ...(address.socketPath === undefined
      ? { host: address.host, port: address.port }
      : { socketPath: address.socketPath }),
    user: address.user,
    password: address.password.reveal(),
    database: address.database,
    connectTimeout: CONNECT_MS,
    charset: 'utf8mb4',
    flags: ['-LOCAL_FILES'],
    typeCast: (field) => valueOf(field.type, field.string('utf8')),
    ...(encryption !== 'off' && { ssl: { rejectUnauthorized: isVerified, verifyIdentity: isVerified } }),
  })
  // The pending query rejects with the error. Without a listener an `error` event would end the process.
  driver.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    driver.connect((error) => (error ? reject(mysqlEngine(address).explain(error)) : resolve()))
  })
  const query = (sql: string): Promise<readonly SourceRow[]> =>
    send(driver, sql).catch((cause: unknown) => {
      throw lost(address, cause)
    })
  for (const statement of SESSION) await query(statement)
  return {
    name: nameOf(address),
    quote: (identifier) => `\`${identifier.replaceAll('`', '``')}\``,
    textType: 'char',
    query,
    columns: () =>
      query(`select table_name as table_name, column_name as column_name, data_type as data_type,
        column_default as column_default from information_schema.columns
        where table_schema = database()`),
    close: () => new Promise((resolve) => driver.end(() => resolve())),
  }
}

const SESSION = [
  "set session time_zone = '+00:00', session sql_mode = ''",
  'set session transaction isolation level repeatable read',
  'start transaction with consistent snapshot, read only',
]

const INTEGERS: ReadonlySet<string> = new Set(['TINY', 'SHORT', 'INT24', 'LONG', 'LONGLONG', 'YEAR'])
const FLOATS: ReadonlySet<string> = new Set(['FLOAT', 'DOUBLE'])

function valueOf(type: string, text: string | null): SourceValue {
  if (text === null) return null
  if (INTEGERS.has(type)) return BigInt(text)
  return FLOATS.has(type) ? Number(text) : text
}

function send(driver: Connection, sql: string): Promise<readonly SourceRow[]> {
  return new Promise((resolve, reject) => {
    driver.query(sql, (error, rows: unknown) => (error ? reject(error) : resolve(asRows(rows))))
  })
}

/** A statement without rows returns a header object instead of an array. */
function asRows(answer: unknown): readonly SourceRow[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type cast above makes every value one of ours
  return Array.isArray(answer) ? (answer as readonly SourceRow[]) : []
}

function lost(address: ServerAddress, cause: unknown): SourceError {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new SourceError(`The ${nameOf(address)} cannot be read: ${message}.`, { cause })
}
