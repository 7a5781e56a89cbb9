import type { Clock } from '@tollgate/kit/clock'
import type { Cipher } from '@tollgate/kit/cipher'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { Database } from '@tollgate/store/tables/schema'
import type { Kysely } from 'kysely'
import type { SiteSettings } from '../snapshots/site-settings.ts'

/**
 * Services that any admin API handler may need; `app.ts` creates them. A service takes only those it uses:
 * `export function listTokens({ store, ledger }: Services): Handler<typeof tokenRoutes.list>`.
 */
export interface Services {
  readonly store: Kysely<Database>
  /**
   * Database to read the usage log from when it has its own. New rows are always written to `store` first.
   */
  readonly logs?: Kysely<Database> | undefined
  readonly ledger: Ledger
  readonly clock: Clock
  /** Encrypts stored secrets: channel keys, the owner's copy of a token, secret options. */
  readonly cipher: Cipher
  readonly options: Options
  readonly notices: Notices
  readonly audit: AuditTrail
}

/** The typed site settings; always complete, because a missing key has a default. */
export type Options = Pick<SiteSettings, 'get'>

/** Notifies this process and all others that a table changed, so that they reload their snapshots. */
export interface Notices {
  /** With the id of the only row that changed, only that row is reloaded. */
  publish(topic: Topic, id?: number): Promise<void>
}
export type Topic = 'options' | 'users' | 'tokens' | 'channels' | 'jobs'

/** Records who changed what. Never pass a secret in `before` or `after`. */
export interface AuditTrail {
  /** With `within`, the row is written in the transaction of the change, or not at all. */
  write(row: AuditRow, within?: Kysely<Database>): Promise<void>
}
export interface AuditRow {
  readonly actorId: number
  /** Verb, for example `create`, `update`, `remove`, `reveal`. */
  readonly action: string
  /** Table or noun, for example `channel`. */
  readonly entity: string
  readonly entityId: string | number
  readonly before?: unknown
  readonly after?: unknown
  readonly address: string
}
