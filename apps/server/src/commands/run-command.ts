import process from 'node:process'
import { debuglog } from 'node:util'
import { SourceError } from '@tollgate/importer/source'
import { StoreError, StoreOpenError } from '@tollgate/store/database/errors'
import { ConfigError } from '../config/index.ts'
import { SecretsFileError } from '../config/secrets.ts'
import { bugWords, oneLine } from '../app/bug-words.ts'
import { OtherSecretError } from '../app/same-secret.ts'
import { CommandError, UsageError } from './command.ts'

const EXPECTED = [CommandError, SourceError, StoreOpenError, ConfigError, SecretsFileError, OtherSecretError]

const debug = debuglog('tollgate')

/** Runs a command and ends the process with its exit code. An error is printed as one line. */
export async function runCommand(work: () => Promise<number>): Promise<never> {
  process.stdout.on('error', leave)
  process.stderr.on('error', () => undefined)
  const code = await work().catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`)
    debug('%s', error instanceof Error ? error.stack : error)
    return isUsageError(error) ? 2 : 1
  })
  await Promise.all([process.stdout, process.stderr].map(flushed))
  process.exit(code)
}

/**
 * A closed pipe (EPIPE) is not an error: the reader, for example `head`, has seen enough. Any other write
 * error ends the process.
 */
function leave(error: Error): void {
  if ('code' in error && error.code === 'EPIPE') return
  process.stderr.write(`The output cannot be written: ${error.message}.\n`)
  process.exit(1)
}

/**
 * Resolves once the stream has flushed. Pipes are written asynchronously, and exiting earlier would cut off
 * the output.
 */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write('', () => resolve()))
}

/** One line, or one line per setting that cannot be used. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error))
  if (isBadArgument(error)) return `${firstLine(error)}. See --help.`
  if (error instanceof StoreError && error.kind !== 'bug') return explainStore(error)
  if (EXPECTED.some((type) => error instanceof type)) return error.message
  return bugWords(error)
}

/**
 * For example a full disk, a database server that went away, or a row that another program inserted first.
 */
function explainStore({ message }: StoreError): string {
  return `The database could not be read or written: ${oneLine(message)}.`
}

function isUsageError(error: unknown): boolean {
  return error instanceof UsageError || (error instanceof Error && isBadArgument(error))
}

/** Node throws this for an unknown flag. */
function isBadArgument(error: Error): boolean {
  return 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
}

function firstLine({ message }: Error): string {
  return message.split(/\n|\. To specify|\. This command/)[0] ?? message
}
