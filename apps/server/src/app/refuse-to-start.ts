import { RedisOpenError } from '@tollgate/coordination/redis-open-error'
import { StoreError, StoreOpenError } from '@tollgate/store/database/errors'
import { ConfigError } from '../config/index.ts'
import { SecretsFileError } from '../config/secrets.ts'
import { OtherSecretError } from './same-secret.ts'

const LISTEN_ERRORS: ReadonlySet<string> = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND'])

const OPERATORS = [ConfigError, SecretsFileError, OtherSecretError, StoreOpenError, RedisOpenError]

/**
 * Prints why the server cannot start and ends the process. Errors that the operator can fix are printed as a
 * message; any other error is a bug and is printed with its stack.
 */
export function refuseToStart(error: unknown): never {
  process.stderr.write(`Tollgate cannot start.\n${wordsFor(error)}\n`)
  process.exit(1)
}

export function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof StoreError && error.kind === 'fatal')
    return `The database cannot be written (${error.message}): look at the disk and the room on it.`
  return isForOperator(error) ? error.message : (error.stack ?? error.message)
}

function isForOperator(error: Error): boolean {
  if (OPERATORS.some((kind) => error instanceof kind)) return true
  return 'code' in error && LISTEN_ERRORS.has(String(error.code))
}
