import { type StoreError, StoreOpenError } from '../database/errors.ts'
import { type ServerAddress, nameOf } from './address.ts'

export interface ServerRefusal {
  readonly address: ServerAddress
  readonly failure: StoreError
  /** The meaning of the server's error code, if it is one of these. */
  readonly reason: 'wrong_password' | 'no_database' | 'no_rights' | undefined
}

/**
 * Turns an error into a sentence for the operator that says why the database cannot be used. An error of kind
 * `bug` is returned unchanged.
 */
export function explainRefusal({ address, failure, reason }: ServerRefusal): Error {
  const name = nameOf(address)
  const said = oneLine(failure)
  const cause = { cause: failure }
  if (reason === 'wrong_password')
    return new StoreOpenError(reason, `The ${name} does not let the user in: ${said}.`, cause)
  if (reason === 'no_database')
    return new StoreOpenError(reason, `There is no ${name}: create it, or correct its name.`, cause)
  if (reason === 'no_rights')
    return new StoreOpenError(reason, `The ${name} does not give the user enough rights: ${said}.`, cause)
  if (failure.kind === 'bug' || failure.kind === 'constraint') return failure
  const why = networkReason(failure.cause) ?? said
  return new StoreOpenError('not_reachable', `The ${name} cannot be reached: ${why}.`, cause)
}

function oneLine(error: Error): string {
  return (error.message || error.name).replaceAll(/\s+/g, ' ').trim()
}

/** A short reason for an error of the operating system while connecting. */
function networkReason(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return NETWORK_REASONS[code]
}

const NETWORK_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'that host name is not known',
  EAI_AGAIN: 'that host name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that host',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'it broke the connection',
  ENOENT: 'there is no such socket',
}
