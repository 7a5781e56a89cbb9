import mysql, { type Connection, type FieldPacket } from 'mysql2'
import { StoreError } from '../database/errors.ts'
import type { ServerAddress } from '../server/address.ts'
import {
  type ConnectOptions,
  type QueryAnswer,
  type ServerConnection,
  withDeadline,
} from '../server/connection.ts'
import { toBound } from '../server/values.ts'
import { toStoreError } from './failures.ts'
import { sessionSettings } from './session.ts'
import { readerOf, toWire } from './values.ts'

export interface MysqlOptions extends ConnectOptions {
  readonly address: ServerAddress
}

/** Each statement is prepared on the server, which has room for some thousands over all connections. */
const PREPARED_STATEMENTS_MAX = 100

/** Connects and applies the session settings. Rejects with the driver's own error. */
export async function connectMysql(options: MysqlOptions): Promise<ServerConnection> {
  const { address, connectMs } = options
  const place =
    address.socketPath === undefined
      ? { host: address.host, port: address.port }
      : { socketPath: address.socketPath }
  const driver = mysql.createConnection({
    ...place,
    user: address.user,
    password: address.password.reveal(),
    database: address.database,
    connectTimeout: connectMs,
    charset: 'UTF8MB4_BIN',
    supportBigNumbers: true,
    rowsAsArray: true,
    maxPreparedStatements: PREPARED_STATEMENTS_MAX,
    // An updated row counts even if its values stay the same, as on the other engines. This is FOUND_ROWS,
    // the driver's default.
    flags: ['-LOCAL_FILES', '-IGNORE_SPACE', '-ODBC'],
    ...(address.encryption !== 'off' && { ssl: encryption(address) }),
  })
  const connection = new MysqlConnection(driver, options)
  await new Promise<void>((resolve, reject) => driver.connect((error) => (error ? reject(error) : resolve())))
  try {
    for (const statement of await sessionSettings(connection, options)) await connection.query(statement)
    return connection
  } catch (error) {
    connection.destroy()
    throw error
  }
}

function encryption({ encryption, authorities }: ServerAddress) {
  const isVerified = encryption === 'verified'
  return {
    rejectUnauthorized: isVerified,
    verifyIdentity: isVerified,
    ...(authorities !== undefined && { ca: authorities }),
  }
}

class MysqlConnection implements ServerConnection {
  readonly #driver: Connection
  readonly #deadlineMs: number
  #isUsable = true

  constructor(driver: Connection, { statementMs }: MysqlOptions) {
    this.#driver = driver
    this.#deadlineMs = statementMs + 1_000
    driver.on('error', () => (this.#isUsable = false))
    driver.on('end', () => (this.#isUsable = false))
  }

  get serverId(): number {
    return this.#driver.threadId
  }

  get isUsable(): boolean {
    return this.#isUsable
  }

  async query(sql: string, parameters: readonly unknown[] = []): Promise<QueryAnswer> {
    const values = parameters.map((value) => toWire(toBound(value)))
    try {
      const answer = await withDeadline(this.#send(sql, values), this.#deadlineMs, () => this.destroy())
      return toAnswer(answer)
    } catch (error) {
      const failure = toStoreError(error)
      if (failure.kind === 'unreachable') this.destroy()
      throw failure
    }
  }

  destroy(): void {
    this.#isUsable = false
    this.#driver.destroy()
  }

  async close(): Promise<void> {
    const isOpen = this.#isUsable
    this.#isUsable = false
    if (!isOpen) return this.#driver.destroy()
    const goodbye = new Promise<void>((resolve) => this.#driver.end(() => resolve()))
    // If the connection cannot be closed in order, it is gone already.
    await withDeadline(goodbye, 1_000, () => this.destroy()).catch(() => undefined)
  }

  /**
   * Statements with parameters are prepared. The others (begin, commit, settings) cannot be prepared or need
   * not be.
   */
  #send(sql: string, values: readonly unknown[]): Promise<DriverAnswer> {
    return new Promise((resolve, reject) => {
      const answer = (error: Error | null, result: unknown, fields: FieldPacket[] | undefined): void => {
        if (error) reject(error)
        else resolve({ result, fields })
      }
      if (values.length === 0) this.#driver.query({ sql, rowsAsArray: true }, answer)
      else this.#driver.execute({ sql, rowsAsArray: true, values: [...values] }, answer)
    })
  }
}

/**
 * The response is parsed outside of the driver's callback, because an exception in the callback would end the
 * process.
 */
interface DriverAnswer {
  readonly result: unknown
  readonly fields: FieldPacket[] | undefined
}

function toAnswer({ result, fields }: DriverAnswer): QueryAnswer {
  if (fields) return toRows(result, fields)
  if (!isHeader(result)) throw new StoreError('bug', 'a statement answers with rows or with a count')
  const { affectedRows, insertId } = result
  return { columns: [], rows: [], changes: BigInt(affectedRows), insertId: BigInt(insertId) }
}

function toRows(result: unknown, fields: FieldPacket[]): QueryAnswer {
  if (!Array.isArray(result)) throw new StoreError('bug', 'rows come as a list')
  const readers = fields.map(readerOf)
  const rows = result.map((row: unknown) => {
    if (!Array.isArray(row)) throw new StoreError('bug', 'a row comes as a list')
    return readers.map((read, index) => read(row[index]))
  })
  return { columns: fields.map((field) => field.name), rows, changes: BigInt(rows.length), insertId: 0n }
}

interface Header {
  readonly affectedRows: number
  readonly insertId: number | string
}

function isHeader(result: unknown): result is Header {
  return typeof result === 'object' && result !== null && 'affectedRows' in result && 'insertId' in result
}
