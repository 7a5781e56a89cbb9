import type { Command, CommandType, InputOf, Outcome, OutcomeOf } from './core/command.ts'

/**
 * Retries of operations that may fail. Each attempt waits out the busy timeout of the file, or the lock
 * timeout of a server.
 */
const BUSY_TRIES_MAX = 5

/**
 * Commands that end a call, record what it owes, or move quota between an account and this process. They wait until the server is back, or until another
 * program has released its locks (for example after a backup or a schema change). All other commands fail and
 * report it to their caller.
 */
export const WAITING: ReadonlySet<CommandType> = new Set([
  'settle',
  'release',
  'checkpoint',
  'recover',
  'allot',
  'giveBack',
  'fold',
])

export interface Pending {
  readonly command: Command
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: Error) => void
  tries: number
  /** An admission whose caller was refused before the store answered. */
  isGivenUp: boolean
}

export function mayWait(pending: Pending): boolean {
  const { type } = pending.command
  return WAITING.has(type) || (type !== 'reserve' && ++pending.tries < BUSY_TRIES_MAX)
}

/** An operation broke a rule of the ledger, which is a bug. It changed nothing. */
export class OperationError extends Error {
  override readonly name = 'OperationError'
}

export function asCommand<T extends CommandType>(type: T, input: InputOf<T>): Command {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the input belongs to the type by the signature
  return { type, input } as Command
}

export function asOutcomeOf<T extends CommandType>(outcome: Promise<Outcome>): Promise<OutcomeOf[T]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the core answers a command with an outcome of its type
  return outcome as Promise<OutcomeOf[T]>
}
