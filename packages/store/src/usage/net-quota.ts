import { LOG_TYPE } from '@tollgate/kit/codes'
import { type RawBuilder, sql } from 'kysely'

/** SQL for the value of a row of the usage log, or of a stored sum; both have a `type` column. */

const isRefund = sql`type = ${sql.lit(LOG_TYPE.refund)}`

/** Charges count positive, refunds negative. */
export const netQuota = sql`case when ${isRefund} then -quota else quota end`

/** A value that only calls have. It is 0 for a refund, which is not a call and uses no tokens. */
export function ofCalls(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${isRefund} then 0 else ${value} end`
}
