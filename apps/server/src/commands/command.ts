import { SourceError } from '@tollgate/importer/source'
import { StoreError, StoreOpenError } from '@tollgate/store/errors'
import { ConfigError } from '../config.ts'
import { SecretsFileError } from '../config/secrets.ts'
import { OtherSecretError } from '../app/same-secret.ts'

/** Something the operator asked for and cannot have, in one sentence. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

const EXPECTED = [CommandError, SourceError, StoreOpenError, ConfigError, SecretsFileError, OtherSecretError]

/**
 * Runs a command and ends the process with its exit code. What the operator can mend is one line; anything else is a bug,
 * shown whole.
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

/** Whoever reads may have read enough; words that find no room are missed. */
function leave(error: Error): void {
  if ('code' in error && error.code === 'EPIPE') return
  process.stderr.write(`The output cannot be written: ${error.message}.\n`)
  process.exit(1)
}

/** A pipe takes what was written in its own time, and an exit would cut it off. */
function taken(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write('', () => resolve()))
}

export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isBadArgument(error)) return firstLine(error)
  if (error instanceof StoreError) return explainStore(error)
  return EXPECTED.some((type) => error instanceof type) ? error.message : (error.stack ?? error.message)
}

/** A full disk, a server that went away, a row that another program was faster with. */
function explainStore({ kind, message, stack }: StoreError): string {
  if (kind === 'bug') return stack ?? message
  return `The database could not be written: ${message.replaceAll(/\s+/g, ' ')}.`
}

/** What Node says of a flag that nobody knows. */
function isBadArgument(error: Error): boolean {
  return 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
}

function firstLine({ message }: Error): string {
  return message.split(/\n|\. To specify/)[0] ?? message
}
