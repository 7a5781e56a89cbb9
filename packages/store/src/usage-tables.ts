/** The usage log summed by the hour and the day. Everything here can be made again from the log as long as its rows are there. */

interface Sums {
  calls: number
  quota: bigint
  prompt_tokens: number
  completion_tokens: number
  /** Of all calls together. */
  duration_ms: number
  /** Of those that had a first byte. */
  first_byte_ms: number
  first_bytes: number
  /** Of the calls whose cost was known. */
  cost: bigint
  /** What those calls were charged. */
  costed_quota: bigint
}

interface Hour {
  /** Its first second. */
  hour_at: number
  /** As in the log. */
  type: number
}

interface Route {
  model_name: string
  group_name: string
  channel_id: number
}

interface Owner {
  user_id: number
  /** As the user was called then. */
  username: string
  token_id: number
  token_name: string
}

/** Every combination that occurs in the log within an hour. Names stop at 255 characters. */
export interface UsageCellTable extends Hour, Owner, Route, Sums {}

/** The same without users and tokens: few rows, however many people call. */
export interface UsageRouteTable extends Hour, Route, Sums {}

/** The same by users and tokens alone. */
export interface UsageOwnerTable extends Hour, Owner, Sums {}

/** The same by users and tokens, of each group. */
export interface UsageOwnerGroupTable extends Hour, Owner, Sums {
  group_name: string
}

/** By the day: users and tokens, of each model. */
export interface UsageOwnerModelTable extends Hour, Owner, Sums {
  model_name: string
}

/** By the day: users and tokens, of each channel. */
export interface UsageOwnerChannelTable extends Hour, Owner, Sums {
  channel_id: number
}

/** The hours that are summed, and between which ids of the log their rows are. */
export interface LogHourTable {
  hour_at: number
  first_id: number
  last_id: number
  calls: number
}
