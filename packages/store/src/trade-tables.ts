import type { Generated } from 'kysely'

/** What people buy, redeem and have made, and what they used by the hour. */

/** A code that credits quota: once, or as a gift once to each of many. */
export interface RedemptionTable {
  id: Generated<number>
  /** Who made it. */
  user_id: number
  /** SHA-256 of the code. */
  key_hash: string
  /** The code for operators to read; sealed for its hash. */
  key_sealed: string
  /** 1 unused, 2 disabled, 3 used (a gift: as often as it may be). */
  status: number
  name: string
  quota: bigint
  created_time: number
  /** Of codes for one; 0 before. */
  redeemed_time: number
  /** 0: at once. */
  valid_from: number
  /** 0: for ever. */
  valid_until: number
  /** Of codes for one; 0 before. */
  used_user_id: number
  is_gift: 0 | 1
  /** Of gifts; -1 without end. */
  max_uses: number
  used_count: number
  /** Grows with every change, so that two editors notice each other. */
  version: number
  deleted_ms: number | null
}

/** Who has had a gift: one row for a code and a user. */
export interface RedemptionUseTable {
  id: Generated<number>
  redemption_id: number
  user_id: number
  used_time: number
}

/** An order of quota. It is credited in the transaction that makes it `success`. */
export interface TopUpTable {
  id: Generated<number>
  user_id: number
  /** Our number of the order, which the payment provider repeats. */
  trade_no: string
  /** Whom it was paid through, for example `epay`. */
  gateway: string
  /** As the gateway calls it, for example `alipay`; "" where that was not kept. */
  method: string
  /** What is credited, fixed when it was ordered. */
  quota: bigint
  /** What is to be paid, as it was sent to the gateway: a decimal with two places. */
  money: string
  /** "" where it is the gateway's own. */
  currency: string
  status: 'pending' | 'success' | 'failed' | 'closed'
  /** The provider's own number of the payment; none before it is paid. */
  provider_trade_no: string | null
  create_time: number
  /** 0 before. */
  complete_time: number
}

/** Work that an upstream does on its own time: drawings, songs, videos. */
export interface TaskTable {
  id: Generated<number>
  /** Who does it, for example `mj` or `suno`. */
  platform: string
  /** By which callers and upstream know it; repeated submissions of one drawing share it. */
  task_id: string
  user_id: number
  token_id: number
  channel_id: number
  /** The call that was charged for it; none for tasks of an earlier system, whose charge is part of the opening. */
  request_id: string | null
  action: string
  /** In the words of the wire contract: NOT_START, SUBMITTED, IN_PROGRESS, MODAL, SUCCESS, FAILURE … */
  status: string
  /** For example `40%`. */
  progress: string
  fail_reason: string
  /** What was charged for it. */
  quota: bigint
  submit_ms: number
  /** 0 before. */
  start_ms: number
  /** 0 before. */
  finish_ms: number
  /** When it counts as lost; 0: never. */
  deadline_ms: number
  /** SHA-256 of what its callback has to bring; "" where none may come. */
  secret_hash: string
  /** What only its platform knows: a JSON object. */
  detail: string
  created_ms: number
  updated_ms: number
  /** Grows with every change; a change names the one it saw. */
  version: number
}

/** What a user used of a model within an hour. */
export interface UsageHourTable {
  id: Generated<number>
  user_id: number
  /** As the user was called then. */
  username: string
  model_name: string
  /** Its first second. */
  hour_at: number
  calls: number
  /** Input and output together. */
  used_tokens: number
  quota: bigint
}
