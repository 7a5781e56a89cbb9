/**
 * Kinds of store errors:
 * - `fatal`: the database can no longer be written safely (I/O error, damage); the store has stopped.
 * - `full`: the embedded database found no room on the disk. The transaction was rolled back, and a retry works
 *   once there is room.
 * - `busy`: another program holds the file, or another transaction holds the rows. Nothing was changed and a
 *   retry makes sense.
 * - `unreachable`: the server is not reachable or the connection was lost. The outcome of an open transaction
 *   is unknown, and a new connection may work.
 * - `constraint`: a constraint of the schema rejected the row.
 * - `bug`: everything else.
 */
export type StoreErrorKind = 'fatal' | 'full' | 'busy' | 'unreachable' | 'constraint' | 'bug'

/** A statement failed. `code` is the engine's own error number. */
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

/**
 * The database could not be opened. The message is a sentence for the operator and names the file or the
 * server.
 */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
  readonly reason: StoreOpenReason

  constructor(reason: StoreOpenReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** An error in the form in which it is sent between threads. */
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
