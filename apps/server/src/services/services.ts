import type { Clock } from '@tollgate/kit/clock'
import type { Cipher } from '@tollgate/kit/cipher'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { Database } from '@tollgate/store/schema'
import type { Kysely } from 'kysely'
import type { SiteSettings } from '../snapshots/site-settings.ts'

/**
 * What every admin verb may need; `app.ts` fills it in. A service takes the few it uses:
 * `export function listTokens({ store, ledger }: Services): Handler<typeof tokenRoutes.list>`.
 */
export interface Services {
  readonly store: Kysely<Database>
  /** Where the usage log is read when it is moved out of `store`, in which it is always written. */
  readonly logs?: Kysely<Database> | undefined
  readonly ledger: Ledger
  readonly clock: Clock
  /** For stored secrets: channel keys, the owner's copy of a token, secret options. */
  readonly cipher: Cipher
  readonly options: Options
  readonly notices: Notices
  readonly audit: AuditTrail
}

/** The site's settings, typed; always complete, because a missing key has its default. */
export type Options = Pick<SiteSettings, 'get'>

/** Tells this and every other process that a table changed, so that snapshots are replaced. */
export interface Notices {
  /** With the id of the one row that changed, only that row is read again. */
  publish(topic: Topic, id?: number): Promise<void>
}
export type Topic = 'options' | 'users' | 'tokens' | 'channels' | 'jobs'

/** Who changed what. Never pass a secret in `before` or `after`. */
export interface AuditTrail {
  /** With `within`, the row is written by the transaction it is about or not at all. */
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
