import type { Generated } from 'kysely'

/** Account safety: links that restore a changed e-mail address, and notices to the owner. */

/**
 * An address that was replaced or removed, and can be restored with a link sent to it by email. The row is
 * deleted once the link is used.
 */
export interface EmailUndoTable {
  id: Generated<number>
  token_hash: string
  user_id: number
  /** The former address. */
  email: string
  created_ms: number
  expires_ms: number
}

/**
 * A change of an account about which its owner could not be sent an email. The row is deleted when the owner
 * dismisses it.
 */
export interface AccountNoticeTable {
  id: Generated<number>
  /** The cause of the outbox work. One cause produces one notice. */
  cause: string
  user_id: number
  /** For example `password_changed`. */
  event: string
  /** JSON object with the details of the event. */
  detail: string
  created_ms: number
}
