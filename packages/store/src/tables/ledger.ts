import type { ColumnType, Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** Tables of the ledger: accounts, holds, every charge, and the instances that write. */

export interface AccountTable {
  /** Owner id × 4 + kind (user 0, token 1, affiliate 2). */
  id: number
  kind: 'user' | 'token' | 'affiliate'
  owner_id: number
  granted: bigint
  remaining: bigint
  reserved: bigint
  used: bigint
  debt: bigint
  /**
   * The part of `granted` that no entry credited. It follows the use of an unlimited token, so that `granted
   * + debt = remaining + reserved + used` holds.
   */
  followed: bigint
  unlimited: Flag
  version: number
  /** Number of calls in progress that hold quota of this account. */
  open_holds: Generated<number>
  /** Start of the current period of the token's budget. `budget_base` is what had been used by then. */
  budget_since_ms: Generated<number>
  budget_base: Generated<bigint>
  /** User accounts only: the sum of `ceiling - amount` over the holds of the user's calls in progress. */
  exposed: Generated<bigint>
  /** User accounts only: 1 once quota was paid for or imported from another system. */
  paid: Generated<Flag>
  /** Until then processes keep no free quota of the account. */
  scarce_until_ms: Generated<number>
}

export interface HoldTable {
  /** The request id. */
  id: string
  user_acct: number
  token_acct: number | null
  /**
   * 1 when the token was unlimited at admission. The token part of the hold then ends in the same way, even
   * if the token was changed meanwhile.
   */
  token_followed: Flag
  amount: bigint
  ceiling: bigint
  checkpoint: bigint
  /** Empty where `price_hash` is set; rows of earlier versions have the price itself. */
  price_json: string
  price_hash: PriceHash
  /** Hashes of the prices of further models that may serve the call or help, joined by commas. */
  further_prices: ColumnType<string | null, string | null | undefined>
  channel_id: number | null
  instance_id: string
  created_ms: number
}

/** Names a row of `price`. */
type PriceHash = ColumnType<string | null, string | null | undefined>

/** A frozen price, stored once for all holds and entries that name it. Never removed. */
export interface PriceTable {
  hash: string
  /** JSON of the price. */
  content: string
}

export type EntryKind = 'credit' | 'adjust' | 'consume' | 'correction' | 'refund'

export interface EntryTable {
  id: Generated<number>
  op_key: string
  kind: EntryKind
  request_id: string | null
  task_id: string | null
  /**
   * The account of the entry. For calls it is the user's account; credits and adjustments may be about an
   * account of any kind.
   */
  user_acct: number
  token_acct: number | null
  channel_id: number | null
  amount: bigint
  /** Comma-separated flags. */
  flags: string
  waived: bigint
  /** For credits and adjustments: `remaining - debt` right after the entry. */
  balance_after: bigint | null
  /** Null where `price_hash` is set; rows of earlier versions have the price itself. */
  price_json: string | null
  price_hash: PriceHash
  usage_json: string | null
  note: string | null
  created_ms: number
}

export interface EntryRollupTable {
  account: number
  channel_id: number
  up_to_ms: number
  consume_sum: bigint
  refund_sum: bigint
  credit_sum: bigint
}

export interface InstanceTable {
  id: string
  started_ms: number
  heartbeat_ms: number
  state: 'alive' | 'ended' | 'dead'
  /** The number of the instance's last committed batch, when several instances write. */
  last_batch: Generated<number>
}

/** Quota of an account that is set aside for one process; `amount` is part of the account's `reserved`. */
export interface AllotmentTable {
  account_id: number
  instance_id: string
  /** What the process may still charge. */
  amount: bigint
  /** The part of it that no call held or had spent at the last report of the process. */
  free: bigint
  open_holds: number
  exposed: bigint
  /** Tokens with a budget: what the process may still charge in the period. */
  budget_since_ms: number
  budget_amount: bigint
  budget_free: bigint
  /** Until then the process keeps no free quota, because it knows that the account is scarce. */
  exact_until_ms: Generated<number>
}

/** How far a journal file is folded, in bytes. */
export interface JournalTable {
  file_id: string
  instance_id: string
  position: number
  /** Where a reader must begin to know all calls that are open at the position. */
  open_from: number
  updated_ms: number
}

export interface JournalRejectedTable {
  id: Generated<number>
  file_id: string
  position: number
  line: string
  reason: string
  created_ms: number
}

/** At most one row. */
export interface DatabaseIdentityTable {
  id: string
}

/** Amounts that entries add to {@link TotalsTable}. A roll-up job moves them there. */
export interface TallyTable {
  id: Generated<number>
  subject: string
  used: bigint
  calls: number
  last_ms: number
}

export interface TotalsTable {
  /** `channel:<id>`, `user:<id>` or `token:<id>`. */
  subject: string
  used: bigint
  calls: number
  last_ms: number
}

export interface WatermarkTable {
  name: string
  position: number
}
