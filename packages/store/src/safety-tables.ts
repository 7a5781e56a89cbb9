import type { Generated } from 'kysely'

/** What keeps an account with its owner: the way back from a changed address, and what they are told. */

/** An address that was replaced or removed, and can be restored by the link that was mailed to it. Gone once it was used. */
export interface EmailUndoTable {
  id: Generated<number>
  token_hash: string
  user_id: number
  /** The address as it was. */
  email: string
  created_ms: number
  expires_ms: number
}

/** A change of an account that its owner could not be told by mail. Gone once they dismissed it. */
export interface AccountNoticeTable {
  id: Generated<number>
  /** Of the work that queued it: one cause is one notice. */
  cause: string
  user_id: number
  /** For example `password_changed`. */
  event: string
  /** JSON object of what is known about it. */
  detail: string
  created_ms: number
}
