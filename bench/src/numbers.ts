import type { Db } from '@tollgate/store/tables/schema'
import { engineOf } from '@tollgate/store/database/traits'
import { type RawBuilder, sql } from 'kysely'

const ROWS_AT_ONCE = 100_000

/** SQL for the integers from `from` to `until` as rows with one column `i`, for use in a `from` clause. */
export function numbers(db: Db, from: number, until: number): RawBuilder<unknown> {
  const engine = engineOf(db)
  if (engine === 'postgres')
    return sql`generate_series(${sql.lit(from)}::bigint, ${sql.lit(until)}::bigint) as n(i)`
  // MySQL and MariaDB limit recursion to a thousand steps.
  if (engine === 'mysql')
    return sql`(with recursive n(i) as (select 0 union all select i + 1 from n where i < 999)
      select ${sql.lit(from)} + high.i * 1000 + low.i as i from n as high, n as low
      where ${sql.lit(from)} + high.i * 1000 + low.i <= ${sql.lit(until)} order by high.i, low.i) as numbers`
  return sql`(with recursive n(i) as (select ${sql.lit(from)} union all select i + 1 from n where i < ${sql.lit(until)}) select i from n) as numbers`
}

/**
 * Calls `run` for consecutive ranges from 0 up to, but not including, `count`, small enough for one statement
 * each.
 */
export async function inSteps(
  db: Db,
  count: number,
  step: (rows: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> {
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const until = Math.min(count, from + ROWS_AT_ONCE) - 1
    await step(numbers(db, from, until)).execute(db)
  }
}
