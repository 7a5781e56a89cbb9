import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '@tollgate/kit/make-folder'
import { parseJson } from '@tollgate/kit/json'
import { z } from 'zod'

/** Keys that the process uses, derived from the two secrets of the environment or the secrets file. */
export interface Keys {
  /** Encrypts stored secrets. If it is lost, they are lost. */
  readonly cipher: Buffer
  /**
   * Part of the hash that is stored for a session id: with a new SESSION_SECRET everyone has to sign in
   * again.
   */
  readonly session: Buffer
}

export interface GivenSecrets {
  readonly sessionSecret: string | undefined
  readonly cryptoSecret: string | undefined
  readonly sqlitePath: string
}

/** A problem with the secrets file. The message is a sentence for the operator. */
export class SecretsFileError extends Error {
  override readonly name = 'SecretsFileError'
}

const fileSchema = z.object({
  SESSION_SECRET: z.string().min(16),
  CRYPTO_SECRET: z.string().min(16),
})
type SecretsFile = z.output<typeof fileSchema>

const OWNER_ONLY = 0o600
const OTHERS = 0o077

/** The file beside an embedded database. */
export function findSecretsPath(sqlitePath: string): string {
  return join(dirname(sqlitePath), 'secrets.json')
}

/**
 * Generates missing secrets once and keeps them in `secrets.json` next to the database, readable by its owner
 * alone.
 */
export function loadKeys(given: GivenSecrets): Keys {
  const { sessionSecret, cryptoSecret } = given
  const kept = sessionSecret && cryptoSecret ? undefined : keptSecrets(given.sqlitePath)
  return {
    cipher: derive(cryptoSecret ?? kept?.CRYPTO_SECRET ?? '', 'tollgate seal v1'),
    session: derive(sessionSecret ?? kept?.SESSION_SECRET ?? '', 'tollgate session v1'),
  }
}

function keptSecrets(sqlitePath: string): SecretsFile {
  if (sqlitePath === ':memory:') return newSecrets()
  const path = findSecretsPath(sqlitePath)
  if (!existsSync(path)) return readBack(path, writeOnce(path))
  return readBack(path, undefined)
}

function newSecrets(): SecretsFile {
  return { SESSION_SECRET: newSecret(), CRYPTO_SECRET: newSecret() }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** When two processes start at once, one of them writes the file, and both read what was written. */
function writeOnce(path: string): unknown {
  try {
    makeFolder(dirname(path))
    writeFileSync(path, `${JSON.stringify(newSecrets(), undefined, 2)}\n`, { mode: OWNER_ONLY, flag: 'wx' })
    return undefined
  } catch (error) {
    return error
  }
}

function readBack(path: string, writeError: unknown): SecretsFile {
  if (!existsSync(path))
    throw new SecretsFileError(`${path}: cannot be written (${codeOf(writeError)})`, { cause: writeError })
  if (process.platform !== 'win32' && statSync(path).mode & OTHERS)
    throw new SecretsFileError(`${path}: other users of this machine may read it: run chmod 600 on it`)
  const parsed = fileSchema.safeParse(parseJson(readText(path)))
  if (!parsed.success)
    throw new SecretsFileError(`${path}: not a secrets file: restore it from a backup, or set CRYPTO_SECRET`)
  return parsed.data
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const words = `${path}: cannot be read (${codeOf(cause)}): give its folder to the user that runs this program (chown -R)`
    throw new SecretsFileError(words, { cause })
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}
