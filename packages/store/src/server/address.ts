import { readFileSync } from 'node:fs'
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
  /** Certificates of the authorities that are trusted, in PEM; `undefined`: those that Node knows. */
  readonly authorities?: string | undefined
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

/**
 * Reads the certificates of a private authority: `sslrootcert` as in libpq, where `system` means those that Node knows, or
 * `ssl-ca` as in the clients of MySQL.
 */
export function readAuthorities(parameters: URLSearchParams, encryption: Encryption): string | undefined {
  const path = parameters.get('sslrootcert') ?? parameters.get('ssl-ca')
  if (path === null || path === '' || path === 'system') return undefined
  if (encryption !== 'verified')
    throw badDsn('it names certificates of an authority, which only sslmode=verify-full or tls=true compare')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw badDsn(`the certificates ${path} cannot be read (${code})`)
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw badDsn(`${path} has no certificate in PEM`)
  return text
}

/** Parameters of certificates that would have no effect. */
const UNUSED_CERTIFICATES = ['sslcert', 'sslkey', 'sslcrl', 'ssl-cert', 'ssl-key'] as const

export function refuseUnusedCertificates(parameters: URLSearchParams): void {
  const name = UNUSED_CERTIFICATES.find((one) => parameters.has(one))
  if (name !== undefined) throw badDsn(`its parameter ${name} is not supported`)
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
