import type { Secret } from '@tollgate/kit/secret'
import { StoreOpenError } from '../errors.ts'

/** A database on a server, as the operator's DSN names it. */
export interface ServerAddress {
  readonly engine: 'postgres' | 'mysql'
  readonly host: string
  readonly port: number
  /** A Unix socket instead of host and port; for PostgreSQL the folder it is in. */
  readonly socketPath: string | undefined
  readonly user: string
  readonly password: Secret
  readonly database: string
  readonly encryption: Encryption
}

/** `encrypted` takes any certificate; `verified` only one that names the host and that a known authority signed. */
export type Encryption = 'off' | 'encrypted' | 'verified'

/** For messages: everything but user and password. */
export function nameOf({ engine, host, port, socketPath, database }: ServerAddress): string {
  const product = engine === 'postgres' ? 'PostgreSQL' : 'MySQL'
  return `${product} database ${database} at ${socketPath ?? `${host}:${port}`}`
}

/** The reason never repeats what the operator wrote: it may hold the password. */
export function badDsn(reason: string): StoreOpenError {
  const forms = 'postgres://user:password@host:5432/database or user:password@tcp(host:3306)/database'
  return new StoreOpenError('bad_dsn', `SQL_DSN cannot be used: ${reason}. Its forms are ${forms}.`)
}

/** `prefer` would encrypt when it can and never tell; whoever wants encryption asks for it. */
const SSL_MODES: Readonly<Record<string, Encryption>> = {
  disable: 'off',
  allow: 'off',
  prefer: 'off',
  require: 'encrypted',
  'verify-ca': 'verified',
  'verify-full': 'verified',
}

/** The words of PostgreSQL's own library. */
export function encryptionOfSslMode(mode: string | null): Encryption {
  const encryption = SSL_MODES[mode ?? 'disable']
  if (!encryption) throw badDsn('its sslmode is none of disable, prefer, require, verify-ca, verify-full')
  return encryption
}

/** The words of MySQL's Go driver, which the family's DSNs use. */
export function encryptionOfTls(tls: string | null): Encryption {
  if (tls === 'true') return 'verified'
  if (tls === 'skip-verify') return 'encrypted'
  if (tls === null || tls === 'false' || tls === 'preferred') return 'off'
  throw badDsn('its tls is none of true, skip-verify, preferred, false')
}
