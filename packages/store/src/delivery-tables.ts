import type { Generated } from 'kysely'

/** Work that is still to be done, and codes that were sent to prove an address. */

export interface OutboxTable {
  id: Generated<number>
  /** Names what the work is for; unique for ever, so that one cause brings one message. */
  cause: string
  kind: string
  /** Sealed JSON; "" once the work is done. */
  payload: string
  /** `taken`: a worker is at it, until `due_ms` at the latest. */
  state: 'pending' | 'taken' | 'done' | 'failed'
  attempts: number
  /** Not before. */
  due_ms: number
  created_ms: number
  /** Why the last attempt failed, or "". */
  reason: string
}

/** At most one code for a purpose and subject. */
export interface OneTimeCodeTable {
  id: Generated<number>
  /** For example `register` or `reset`: a code serves the one purpose it was made for. */
  purpose: string
  /** Whom it was made for: an address in its normal form, where needed with the user's id. */
  subject: string
  code_hash: string
  /** Wrong codes tried since it was made. */
  failures: number
  created_ms: number
  expires_ms: number
}
