import { StoreError, type StoreErrorKind } from '../database/errors.ts'

/** PostgreSQL's error codes have five characters; {@link StoreError} stores them as a base-36 number. */
export function stateNumber(state: string): number {
  return Number.parseInt(state, 36)
}

export const UNIQUE_VIOLATION = stateNumber('23505')

/**
 * Serialization failure, deadlock, lock timeout, statement timeout. Each of them has rolled back its
 * transaction.
 */
const BUSY = new Set(['40001', '40P01', '55P03', '57014'])
/**
 * Read-only after a failover, disk full, out of memory, too many connections, I/O error, shutting down or
 * starting.
 */
const AWAY = /^(08...|25006|25P0[234]|53...|57P..|58...)$/
/** Codes of integrity violations, and of values that are out of range or too long. */
const CONSTRAINT = /^(23...|22001|22003)$/

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const message = error instanceof Error ? error.message : String(error)
  const state = stateOf(error)
  if (state === undefined) return new StoreError('unreachable', message, { cause: error })
  return new StoreError(kindOf(state), message, { code: stateNumber(state), cause: error })
}

/**
 * Only errors of the server have such a code. Other errors come from the network or from a connection that
 * ended.
 */
export function stateOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

function kindOf(state: string): StoreErrorKind {
  if (BUSY.has(state)) return 'busy'
  if (AWAY.test(state)) return 'unreachable'
  return CONSTRAINT.test(state) ? 'constraint' : 'bug'
}
