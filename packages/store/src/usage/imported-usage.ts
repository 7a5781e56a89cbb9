import type { LogFilter } from '../logs/filter.ts'
import type { Db } from '../tables/schema.ts'

/**
 * Hourly sums imported from an earlier system. Charts use them for the time before the usage log begins, and
 * the log from then on.
 */

export interface ImportedHour {
  readonly hourAt: number
  readonly modelName: string
  readonly userId: number
  readonly username: string
  readonly calls: number
  readonly tokens: number
  readonly quota: bigint
}

/** The first hour that was summed from the log itself; `undefined` when none was. */
export async function firstSummedHour(logs: Db): Promise<number | undefined> {
  const row = await logs
    .selectFrom('log_hours')
    .select('hour_at')
    .orderBy('hour_at')
    .limit(1)
    .executeTakeFirst()
  return row?.hour_at
}

/** Sums by hour and model. Rows carry the user only when the filter names one. */
export async function importedHours(
  db: Db,
  { from = 0, until, userId, username }: Pick<LogFilter, 'from' | 'userId' | 'username'> & { until: number },
): Promise<readonly ImportedHour[]> {
  let rows = db
    .selectFrom('usage_hours')
    .select(['hour_at as hourAt', 'model_name as modelName'])
    .select((select) => [
      select.fn.sum('calls').as('calls'),
      select.fn.sum('used_tokens').as('tokens'),
      select.fn.sum('quota').as('quota'),
    ])
    .where('hour_at', '>=', from)
    .where('hour_at', '<=', until)
    .groupBy(['hour_at', 'model_name'])
  if (userId !== undefined) rows = rows.where('user_id', '=', userId)
  if (username !== undefined) rows = rows.where('username', '=', username)
  return (await rows.execute()).map((row) => ({
    hourAt: row.hourAt,
    modelName: row.modelName,
    userId: userId ?? 0,
    username: username ?? '',
    calls: Number(row.calls),
    tokens: Number(row.tokens),
    quota: BigInt(row.quota),
  }))
}
