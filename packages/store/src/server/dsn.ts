import { Secret } from '@tollgate/kit/secret'
import {
  type ServerAddress,
  badDsn,
  encryptionOfSslMode,
  encryptionOfTls,
  readAuthorities,
  refuseUnusedCertificates,
} from './address.ts'
import { parseGoDsn } from './go-dsn.ts'

const PORTS = { postgres: 5432, mysql: 3306 } as const

/**
 * True when the DSN names a server. An empty DSN or one that begins with `local` means the embedded database.
 */
export function isServerDsn(dsn: string): boolean {
  return dsn !== '' && !dsn.startsWith('local')
}

/**
 * `postgres://` and `postgresql://` mean PostgreSQL. `mysql://`, `mariadb://` and every DSN without a scheme,
 * such as `user:password@tcp(host:3306)/database?tls=true`, mean MySQL or MariaDB.
 */
export function parseDsn(dsn: string): ServerAddress {
  const scheme = /^([a-z]+):\/\//i.exec(dsn)?.[1]?.toLowerCase()
  if (scheme === 'postgres' || scheme === 'postgresql') return parseUrl(dsn, 'postgres')
  if (scheme === 'mysql' || scheme === 'mariadb') return parseUrl(dsn, 'mysql')
  if (scheme !== undefined) throw badDsn(`it begins with ${scheme}://, which names no database of ours`)
  return parseGoDsn(dsn)
}

function parseUrl(dsn: string, engine: 'postgres' | 'mysql'): ServerAddress {
  if (!URL.canParse(dsn)) throw badDsn('it is no address (special characters of a password are %-encoded)')
  const url = new URL(dsn)
  const database = decode(url.pathname.slice(1))
  if (database === '') throw badDsn('it names no database')
  const user = decode(url.username)
  if (user === '') throw badDsn('it names no user')
  const { searchParams } = url
  refuseUnusedCertificates(searchParams)
  const encryption =
    engine === 'postgres'
      ? encryptionOfSslMode(searchParams.get('sslmode'))
      : encryptionOfTls(searchParams.get('tls'))
  return {
    engine,
    host: hostOf(url),
    port: url.port === '' ? PORTS[engine] : Number(url.port),
    socketPath: socketOf(searchParams),
    user,
    password: new Secret(decode(url.password)),
    database,
    encryption,
    authorities: readAuthorities(searchParams, encryption),
  }
}

function hostOf(url: URL): string {
  const host = decode(url.hostname)
  return host === '' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1')
}

/** Reads a socket path as libpq does: `postgres://user@localhost/database?host=/run/postgresql`. */
function socketOf(parameters: URLSearchParams): string | undefined {
  const host = parameters.get('host') ?? parameters.get('socket')
  return host?.startsWith('/') ? host : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw badDsn('a % in it is not followed by two hexadecimal digits')
  }
}
