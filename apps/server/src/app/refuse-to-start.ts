import { debuglog } from 'node:util'
import { RedisOpenError } from '@tollgate/coordination/redis-open-error'
import { StoreError, StoreOpenError } from '@tollgate/store/database/errors'
import { ConfigError } from '../config/index.ts'
import { SecretsFileError } from '../config/secrets.ts'
import { bugWords } from './bug-words.ts'
import { OtherSecretError } from './same-secret.ts'

/** System calls of a server that starts to listen. */
const LISTENING: ReadonlySet<string> = new Set(['listen', 'bind', 'getaddrinfo'])

const OPERATORS = [ConfigError, SecretsFileError, OtherSecretError, StoreOpenError, RedisOpenError]

const debug = debuglog('tollgate')

/** Prints why the server cannot start and ends the process. */
export function refuseToStart(error: unknown): never {
  process.stderr.write(`Tollgate cannot start.\n${wordsFor(error)}\n`)
  debug('%s', error instanceof Error ? error.stack : error)
  process.exit(1)
}

/** Errors that the operator can fix as a message; any other error is a bug, of which the first line is shown. */
export function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof StoreError && ['fatal', 'full'].includes(error.kind))
    return `The database cannot be written (${error.message}): look at the disk and the room on it.`
  if (OPERATORS.some((kind) => error instanceof kind)) return error.message
  return listenWords(error) ?? bugWords(error)
}

/** Why the server cannot listen; Node's error has the address that was asked for. */
function listenWords(error: Error): string | undefined {
  if (!('syscall' in error && 'code' in error && LISTENING.has(String(error.syscall)))) return undefined
  const code = String(error.code)
  const port = 'port' in error ? String(error.port) : 'PORT'
  const host = 'address' in error ? String(error.address) : 'HOST'
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use by another program (${code}): stop it, or set PORT to another one.`
  if (code === 'EACCES')
    return `Port ${port} may not be used by this user (${code}): set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${host} (${code}): see HOST.`
  return code === 'ENOTFOUND' ? `HOST names no address of this machine (${code}).` : undefined
}
