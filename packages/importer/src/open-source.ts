import { existsSync } from 'node:fs'
import { StoreOpenError } from '@tollgate/store/database/errors'
import type { ServerAddress } from '@tollgate/store/server/address'
import { parseDsn } from '@tollgate/store/server/dsn'
import { connectMysql } from './mysql-source.ts'
import { connectPostgres } from './postgres-source.ts'
import { connectSqlite } from './sqlite-source.ts'
import { type Source, SourceError } from './source.ts'
import { isTollgateDatabase } from './shape.ts'
import { openSqlSource } from './sql-source.ts'

/**
 * Opens a file, `postgres://…`, `mysql://…`, or the MySQL form of new-api and its forks,
 * `user:password@tcp(host:3306)/database`. Rejects with a {@link SourceError} or {@link StoreOpenError} whose
 * message is one line for the operator, without the password.
 */
export async function openSource(place: string): Promise<Source> {
  if (!isServer(place)) return openSqlSource(connectSqlite(fileOf(place)))
  const address = addressOf(place)
  return openSqlSource(
    address.engine === 'postgres' ? await connectPostgres(address) : await connectMysql(address),
  )
}

/**
 * Turns the place into the options with which Tollgate opens a database of its own. `sqlDsn` is empty for a
 * file.
 */
export function ownPlaceOf(place: string): { readonly sqlDsn: string; readonly sqlitePath: string } {
  return isServer(place) ? { sqlDsn: place, sqlitePath: '' } : { sqlDsn: '', sqlitePath: fileOf(place) }
}

/** Whether the place holds a Tollgate database, not one of new-api or a fork. */
export async function isOwnDatabase(place: string): Promise<boolean> {
  const source = await openSource(place)
  await source.close()
  return isTollgateDatabase(source)
}

const URL_FORM = /^[a-z]+:\/\//i
const GO_FORM = /@(?:[a-z]*\([^)]*\))?\//i

/** An existing file is opened as a file, even if its name looks like a server address. */
function isServer(place: string): boolean {
  if (existsSync(fileOf(place)) || /^(file|sqlite):/i.test(place)) return false
  return URL_FORM.test(place) || GO_FORM.test(place)
}

/** new-api and its forks write options after the file name (`?_busy_timeout=5000`). */
function fileOf(place: string): string {
  const path = place.replace(/^(?:file|sqlite):(?:\/\/)?/i, '')
  return existsSync(path) ? path : path.replace(/\?.*$/, '')
}

function addressOf(place: string): ServerAddress {
  try {
    return parseDsn(place)
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error
    throw new SourceError(error.message.replace(/^SQL_DSN/, '--from'), { cause: error })
  }
}
