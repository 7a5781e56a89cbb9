import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** The books: accounts, what is set aside, every charge, and who is writing. */

export interface AccountTable {
  /** owner id x 4 + kind (user 0, token 1, affiliate 2). */
  id: number
  kind: 'user' | 'token' | 'affiliate'
  owner_id: number
  granted: bigint
  remaining: bigint
  reserved: bigint
  used: bigint
  debt: bigint
  /** The part of `granted` that no entry gave: it follows what an unlimited token uses, so that I1 holds. */
  followed: bigint
  unlimited: Flag
  version: number
  /** Calls under way that hold something of it. */
  open_holds: Generated<number>
  /** Since when its token's budget counts, and what had been used by then. */
  budget_since_ms: Generated<number>
  budget_base: Generated<bigint>
  /** Users: the sum of `ceiling - amount` over the holds of their calls under way. */
  exposed: Generated<bigint>
  /** Users: 1 once something was paid for their quota, or it was brought over from another system. */
  paid: Generated<Flag>
}

export interface HoldTable {
  /** The request id. */
  id: string
  user_acct: number
  token_acct: number | null
  /** 1 when the token was unlimited at admission: the hold's token part then ends the way it began. */
  token_followed: Flag
  amount: bigint
  ceiling: bigint
  checkpoint: bigint
  price_json: string
  channel_id: number | null
  instance_id: string
  created_ms: number
}

export type EntryKind = 'credit' | 'adjust' | 'consume' | 'correction' | 'refund'

export interface EntryTable {
  id: Generated<number>
  op_key: string
  kind: EntryKind
  request_id: string | null
  task_id: string | null
  /** The account the entry is about; for credits and adjustments of any kind, for calls the user's. */
  user_acct: number
  token_acct: number | null
  channel_id: number | null
  amount: bigint
  /** Comma list of flags. */
  flags: string
  waived: bigint
  /** Credits and adjustments: `remaining - debt` right after. */
  balance_after: bigint | null
  price_json: string | null
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
  /** The number of its last transaction, where it is not the only instance. */
  last_batch: Generated<number>
}

/** What entries add to {@link TotalsTable}, until a roll-up takes it in. */
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
