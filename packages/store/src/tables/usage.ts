/**
 * The usage log summed by hour and by day. Everything here can be rebuilt from the log as long as its rows
 * exist.
 */

interface Sums {
  calls: number
  quota: bigint
  prompt_tokens: number
  completion_tokens: number
  /** Sum over all calls. */
  duration_ms: number
  /** Sum over the calls that had a first byte; `first_bytes` is their number. */
  first_byte_ms: number
  first_bytes: number
  /** Sum over the calls whose cost was known. */
  cost: bigint
  /** Charges for those calls. */
  costed_quota: bigint
  /** Sums of the columns of the log with the same names. */
  cached_tokens: number
  cache_saved: bigint
}

interface Hour {
  /** First second of the hour or day. */
  hour_at: number
  /** Type of the log rows. */
  type: number
}

interface Route {
  model_name: string
  group_name: string
  channel_id: number
}

interface Owner {
  user_id: number
  /** The username at that time. */
  username: string
  token_id: number
  token_name: string
}

/** Every combination of keys that occurs in the log within an hour. Names are cut to 255 characters. */
export interface UsageCellTable extends Hour, Owner, Route, Sums {}

/** Hourly sums without users and tokens: few rows, however many users call. */
export interface UsageRouteTable extends Hour, Route, Sums {}

/** Hourly sums by user and token only. */
export interface UsageOwnerTable extends Hour, Owner, Sums {}

/** Hourly sums by user and token for each group. */
export interface UsageOwnerGroupTable extends Hour, Owner, Sums {
  group_name: string
}

/** Daily sums by user and token for each model. */
export interface UsageOwnerModelTable extends Hour, Owner, Sums {
  model_name: string
}

/** Daily sums by user and token for each channel. */
export interface UsageOwnerChannelTable extends Hour, Owner, Sums {
  channel_id: number
}

/** The hours that are summed, with the range of ids of their log rows. */
export interface LogHourTable {
  hour_at: number
  first_id: number
  last_id: number
  calls: number
}
