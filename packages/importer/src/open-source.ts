import { existsSync } from 'node:fs'
import { StoreOpenError } from '@tollgate/store/errors'
import type { ServerAddress } from '@tollgate/store/server/address'
import { parseDsn } from '@tollgate/store/server/dsn'
import { connectMysql } from './mysql-source.ts'
import { connectPostgres } from './postgres-source.ts'
import { connectSqlite } from './sqlite-source.ts'
import { type Source, SourceError } from './source.ts'
import { hasOurMark } from './shape.ts'
import { openSqlSource } from './sql-source.ts'

/**
 * A file, `postgres://…`, `mysql://…` or the MySQL form of this family, `user:password@tcp(host:3306)/database`. Rejects
 * with a {@link SourceError} or {@link StoreOpenError} whose message is one line for the operator, without the password.
 */
export async function openSource(place: string): Promise<Source> {
  if (!isServer(place)) return openSqlSource(connectSqlite(fileOf(place)))
  const address = addressOf(place)
  return openSqlSource(
    address.engine === 'postgres' ? await connectPostgres(address) : await connectMysql(address),
  )
}

/** The same place for a database of ours: `sqlDsn` is empty when it is a file. */
export function ownPlaceOf(place: string): { readonly sqlDsn: string; readonly sqlitePath: string } {
  return isServer(place) ? { sqlDsn: place, sqlitePath: '' } : { sqlDsn: '', sqlitePath: fileOf(place) }
}

/** Whether a database of ours is there, and none of another system of this family. */
export async function isOwnDatabase(place: string): Promise<boolean> {
  const source = await openSource(place)
  await source.close()
  return hasOurMark(source)
}

const URL_FORM = /^[a-z]+:\/\//i
const GO_FORM = /@(?:[a-z]*\([^)]*\))?\//i

/** A file that exists is a file, whatever its name looks like. */
function isServer(place: string): boolean {
  if (existsSync(fileOf(place)) || /^(file|sqlite):/i.test(place)) return false
  return URL_FORM.test(place) || GO_FORM.test(place)
}

/** Programs of this family write options behind the file name. */
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
