import { type RawBuilder, sql } from 'kysely'

/** What rows of the usage log, and sums of them, count for: both say of what type they are. */

const TYPE_REFUND = 6

const isRefund = sql`type = ${sql.lit(TYPE_REFUND)}`

/** What was charged; what was given back is taken away. */
export const netQuota = sql`case when ${isRefund} then -quota else quota end`

/** A number that only calls have: a refund is none, and uses no tokens. */
export function ofCalls(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${isRefund} then 0 else ${value} end`
}
