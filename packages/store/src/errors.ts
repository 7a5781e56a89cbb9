/**
 * `fatal`: the database can no longer be trusted to be written (I/O, damage, disk full); the store has stopped.
 * `busy`: another program holds the file, or another transaction the rows; nothing was changed and trying again is
 * sensible. `unreachable`: the server is away, or went away in the middle: what a transaction came to is not known, and
 * a new connection may work. `constraint`: a rule of the schema refused the row. `bug`: everything else.
 */
export type StoreErrorKind = 'fatal' | 'busy' | 'unreachable' | 'constraint' | 'bug'

/** A statement that failed. `code` is the engine's own number. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreErrorKind
  readonly code: number

  constructor(kind: StoreErrorKind, message: string, options?: ErrorOptions & { code?: number }) {
    super(message, options)
    this.kind = kind
    this.code = options?.code ?? 0
  }
}

export type StoreOpenReason =
  | 'is_directory'
  | 'not_reachable'
  | 'not_writable'
  | 'not_a_database'
  | 'foreign_database'
  | 'newer_schema'
  | 'older_schema'
  | 'half_imported'
  | 'in_use'
  | 'damaged'
  | 'old_sqlite'
  | 'bad_dsn'
  | 'wrong_password'
  | 'no_database'
  | 'old_server'
  | 'no_rights'

/** Why a database could not be opened. The message is a sentence for the operator and names the file or the server. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
  readonly reason: StoreOpenReason

  constructor(reason: StoreOpenReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** An error as it crosses a thread. */
export interface WireError {
  readonly message: string
  readonly kind?: StoreErrorKind
  readonly code?: number
  readonly reason?: StoreOpenReason
}

export function toWireError(error: unknown): WireError {
  if (error instanceof StoreError) return { message: error.message, kind: error.kind, code: error.code }
  if (error instanceof StoreOpenError) return { message: error.message, reason: error.reason }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

export function fromWireError(wire: WireError): StoreError | StoreOpenError {
  if (wire.reason) return new StoreOpenError(wire.reason, wire.message)
  return new StoreError(wire.kind ?? 'bug', wire.message, { code: wire.code ?? 0 })
}
