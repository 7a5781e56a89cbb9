import { SourceError } from '@tollgate/importer/source'
import { StoreError, StoreOpenError } from '@tollgate/store/database/errors'
import { ConfigError } from '../config/index.ts'
import { SecretsFileError } from '../config/secrets.ts'
import { OtherSecretError } from '../app/same-secret.ts'

/** The operator requested something that is not possible. The message is one sentence. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

const EXPECTED = [CommandError, SourceError, StoreOpenError, ConfigError, SecretsFileError, OtherSecretError]

/**
 * Runs a command and ends the process with its exit code. An error that the operator can fix is printed as
 * one line; any other error is a bug and is printed with its stack.
 */
export async function runCommand(work: () => Promise<number>): Promise<never> {
  process.stdout.on('error', leave)
  process.stderr.on('error', () => undefined)
  const code = await work().catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`)
    return 1
  })
  await Promise.all([process.stdout, process.stderr].map(taken))
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
function taken(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write('', () => resolve()))
}

export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isBadArgument(error)) return firstLine(error)
  if (error instanceof StoreError) return explainStore(error)
  return EXPECTED.some((type) => error instanceof type) ? error.message : (error.stack ?? error.message)
}

/**
 * For example a full disk, a database server that went away, or a row that another program inserted first.
 */
function explainStore({ kind, message, stack }: StoreError): string {
  if (kind === 'bug') return stack ?? message
  return `The database could not be written: ${message.replaceAll(/\s+/g, ' ')}.`
}

/** Node throws this for an unknown flag. */
function isBadArgument(error: Error): boolean {
  return 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
}

function firstLine({ message }: Error): string {
  return message.split(/\n|\. To specify/)[0] ?? message
}
