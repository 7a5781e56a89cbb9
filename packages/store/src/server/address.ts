import type { Secret } from '@tollgate/kit/secret'
import { StoreOpenError } from '../database/errors.ts'

/** Address of a database server, from the operator's DSN. */
export interface ServerAddress {
  readonly engine: 'postgres' | 'mysql'
  readonly host: string
  readonly port: number
  /**
   * Path of a Unix socket, used in place of host and port. For PostgreSQL it is the directory of the socket.
   */
  readonly socketPath: string | undefined
  readonly user: string
  readonly password: Secret
  readonly database: string
  readonly encryption: Encryption
}

/**
 * `encrypted` accepts any certificate. `verified` requires a certificate for this host from a known
 * authority.
 */
export type Encryption = 'off' | 'encrypted' | 'verified'

/** Name for messages, without user and password. */
export function nameOf({ engine, host, port, socketPath, database }: ServerAddress): string {
  const product = engine === 'postgres' ? 'PostgreSQL' : 'MySQL'
  return `${product} database ${database} at ${socketPath ?? `${host}:${port}`}`
}

/** The reason never quotes the DSN, because the DSN may contain the password. */
export function badDsn(reason: string): StoreOpenError {
  const forms = 'postgres://user:password@host:5432/database or user:password@tcp(host:3306)/database'
  return new StoreOpenError('bad_dsn', `SQL_DSN cannot be used: ${reason}. Its forms are ${forms}.`)
}

/**
 * `prefer` would fall back to an unencrypted connection without notice, so it counts as off. Encryption has
 * to be requested with `require` or one of the `verify` modes.
 */
const SSL_MODES: Readonly<Record<string, Encryption>> = {
  disable: 'off',
  allow: 'off',
  prefer: 'off',
  require: 'encrypted',
  'verify-ca': 'verified',
  'verify-full': 'verified',
}

/** Reads `sslmode` with the values of libpq. */
export function encryptionOfSslMode(mode: string | null): Encryption {
  const encryption = SSL_MODES[mode ?? 'disable']
  if (!encryption) throw badDsn('its sslmode is none of disable, prefer, require, verify-ca, verify-full')
  return encryption
}

/** Reads `tls` with the values of the Go MySQL driver, whose DSN format new-api and its forks use. */
export function encryptionOfTls(tls: string | null): Encryption {
  if (tls === 'true') return 'verified'
  if (tls === 'skip-verify') return 'encrypted'
  if (tls === null || tls === 'false' || tls === 'preferred') return 'off'
  throw badDsn('its tls is none of true, skip-verify, preferred, false')
}
