import type { Generated } from 'kysely'

/** Work in the outbox, and codes that were sent to verify an address. */

export interface OutboxTable {
  id: Generated<number>
  /** Identifies why the work exists. It is unique for ever, so one cause leads to one message. */
  cause: string
  kind: string
  /** Encrypted JSON; "" once the work is done. */
  payload: string
  /** `taken`: a worker is processing it, until `due_ms` at the latest. */
  state: 'pending' | 'taken' | 'done' | 'failed'
  attempts: number
  /** Not to be started before this time. */
  due_ms: number
  created_ms: number
  /** Why the last attempt failed, or "". */
  reason: string
}

/** At most one code exists for each purpose and subject. */
export interface OneTimeCodeTable {
  id: Generated<number>
  /** For example `register` or `reset`. A code is valid only for the purpose it was made for. */
  purpose: string
  /** The address that the code was made for, in normal form; where needed together with the user's id. */
  subject: string
  code_hash: string
  /** Number of wrong codes tried since this one was made. */
  failures: number
  created_ms: number
  expires_ms: number
}
