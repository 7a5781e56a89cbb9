import type { ConnectOptions, ServerConnection } from '../server/connection.ts'
import { type MysqlVersion, parseVersion, refuseOld } from './version.ts'

/**
 * Settings that every session relies on: values that do not fit are rejected instead of truncated, `||` and
 * `"name"` mean the same as on the other engines, times are UTC, and each statement sees everything
 * committed.
 */
const SQL_MODE =
  'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY,PIPES_AS_CONCAT,ANSI_QUOTES'

export async function sessionSettings(
  connection: Pick<ServerConnection, 'query'>,
  options: ConnectOptions,
): Promise<readonly string[]> {
  const version = await readVersion(connection)
  refuseOld(version)
  const settings = [
    `sql_mode = '${SQL_MODE}'`,
    `time_zone = '+00:00'`,
    `innodb_lock_wait_timeout = ${seconds(options.lockMs)}`,
    ...silenceLimits(version, options),
  ]
  return [`set session ${settings.join(', ')}`, 'set session transaction isolation level read committed']
}

export async function readVersion(connection: Pick<ServerConnection, 'query'>): Promise<MysqlVersion> {
  const { rows } = await connection.query('select version()')
  return parseVersion(String(rows[0]?.[0]))
}

/**
 * MariaDB ends idle transactions by itself. MySQL can only end idle connections, with or without a
 * transaction.
 */
function silenceLimits({ isMariaDb }: MysqlVersion, options: ConnectOptions): readonly string[] {
  const statement = seconds(options.statementMs)
  if (isMariaDb)
    return [
      `idle_transaction_timeout = ${seconds(options.silentTransactionMs)}`,
      `max_statement_time = ${statement}`,
    ]
  const silence = options.silentConnectionMs
  const silent = silence === undefined ? [] : [`wait_timeout = ${seconds(silence)}`]
  return [`max_execution_time = ${options.statementMs}`, ...silent]
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000))
}
