import type { Clock } from '@tollgate/kit/clock'
import type { Cipher } from '@tollgate/kit/cipher'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { Db } from '@tollgate/store/tables/schema'
import type { SiteSettings } from '../snapshots/site-settings.ts'
import type { Changes, ChangeNotices } from './change.ts'

/**
 * Services that any admin API handler may need; `app.ts` creates them. A service takes only those it uses:
 * `export function listTokens({ store, ledger }: Services): Handler<typeof tokenRoutes.list>`.
 */
export interface Services extends Changes {
  readonly store: Db
  /**
   * Database to read the usage log from when it has its own. New rows are always written to `store` first.
   */
  readonly logs?: Db | undefined
  readonly ledger: Ledger
  readonly clock: Clock
  /** Encrypts stored secrets: channel keys, the owner's copy of a token, secret options. */
  readonly cipher: Cipher
  readonly options: Options
  readonly notices: ChangeNotices
}

/** The typed site settings; always complete, because a missing key has a default. */
export type Options = Pick<SiteSettings, 'get'>
