import type { Generated } from 'kysely'

/** Redemption codes, orders, tasks, and hourly usage of earlier systems. */

/** A code that credits quota: to one user once, or, as a gift code, to each of many users once. */
export interface RedemptionTable {
  id: Generated<number>
  /** The user who created the code. */
  user_id: number
  /** SHA-256 of the code. */
  key_hash: string
  /** The code, encrypted with its hash as context, so that operators can read it. */
  key_sealed: string
  /** 1 unused, 2 disabled, 3 used (for a gift code: the maximum number of uses is reached). */
  status: number
  name: string
  quota: bigint
  created_time: number
  /** Single-use codes: time of redemption; 0 before. */
  redeemed_time: number
  /** 0: valid at once. */
  valid_from: number
  /** 0: never expires. */
  valid_until: number
  /** Single-use codes: the user who redeemed it; 0 before. */
  used_user_id: number
  is_gift: 0 | 1
  /** Gift codes: maximum number of uses; -1 for no limit. */
  max_uses: number
  used_count: number
  /** Incremented with every change, so that concurrent edits are detected. */
  version: number
  deleted_ms: number | null
}

/** Redemptions of gift codes: one row per code and user. */
export interface RedemptionUseTable {
  id: Generated<number>
  redemption_id: number
  user_id: number
  used_time: number
}

/** An order of quota. The quota is credited in the transaction that sets the status to `success`. */
export interface TopUpTable {
  id: Generated<number>
  user_id: number
  /** Tollgate's order number, which the payment provider sends back. */
  trade_no: string
  /** The payment gateway, for example `epay`. */
  gateway: string
  /** The payment method in the gateway's own terms, for example `alipay`; "" where it was not stored. */
  method: string
  /** Quota to credit, fixed at the time of the order. */
  quota: bigint
  /** Amount to pay as it was sent to the gateway: a decimal with two places. */
  money: string
  /** "" means the gateway's own currency. */
  currency: string
  status: 'pending' | 'success' | 'failed' | 'closed'
  /** The provider's number of the payment; null before the order is paid. */
  provider_trade_no: string | null
  create_time: number
  /** 0 before completion. */
  complete_time: number
}

/** A task that an upstream finishes later: a drawing, song or video. */
export interface TaskTable {
  id: Generated<number>
  /** The platform of the upstream, for example `mj` or `suno`. */
  platform: string
  /** The id that callers and the upstream use. Repeated submissions of one drawing share it. */
  task_id: string
  user_id: number
  token_id: number
  channel_id: number
  /**
   * The call that was charged for it; null for imported tasks, whose charge is part of the opening balance.
   */
  request_id: string | null
  action: string
  /** States of new-api's wire format: NOT_START, SUBMITTED, IN_PROGRESS, MODAL, SUCCESS, FAILURE … */
  status: string
  /** For example `40%`. */
  progress: string
  fail_reason: string
  /** Quota charged for the task. */
  quota: bigint
  submit_ms: number
  /** 0 before the start. */
  start_ms: number
  /** 0 before the end. */
  finish_ms: number
  /** Time after which the task counts as lost; 0: never. */
  deadline_ms: number
  /** SHA-256 of the secret that the callback must contain; "" where no callback is accepted. */
  secret_hash: string
  /** JSON object with data specific to the platform. */
  detail: string
  created_ms: number
  updated_ms: number
  /** Incremented with every change; a change must name the version it is based on. */
  version: number
}

/** Usage of one model by one user within an hour, imported from an earlier system. */
export interface UsageHourTable {
  id: Generated<number>
  user_id: number
  /** The username at that time. */
  username: string
  model_name: string
  /** First second of the hour. */
  hour_at: number
  calls: number
  /** Input and output tokens together. */
  used_tokens: number
  quota: bigint
}
