import type { Db } from '@tollgate/store/tables/schema'
import { engineOf } from '@tollgate/store/database/traits'
import { type RawBuilder, sql } from 'kysely'
import { inSteps } from '../numbers.ts'

/** End of the log, half past an hour. */
export const LAST_SECOND = 1_790_001_000
export const DAYS = 30

/**
 * Inserts rows of thirty days in the order in which calls end. A few users, models and channels make most of
 * the calls; three in a hundred failed, and one in a thousand is not a call. `other` has the length of a
 * usual call.
 */
export async function fillLog(db: Db, rows: number): Promise<void> {
  const spread = (DAYS * 86_400) / rows
  const first = LAST_SECOND - DAYS * 86_400
  const integer = sql.raw(engineOf(db) === 'mysql' ? 'signed' : 'bigint')
  const at = sql`cast(${sql.lit(first)} + i * ${sql.lit(spread)} as ${integer})`
  await inSteps(
    db,
    rows,
    (
      numbered,
    ) => sql`insert into logs (request_id, user_id, created_at, type, content, username, token_id, token_name, model_name,
        quota, prompt_tokens, completion_tokens, use_time, duration_ms, first_byte_ms, is_stream, channel_id, group_name, ip, other)
      select concat('call-', i), 1 + ${skewed(500)}, ${at},
        case when i % 1000 = 0 then 1 when i % 33 = 0 then 8 else 2 end, '', concat('user', 1 + ${skewed(500)}),
        1 + ${skewed(500)} * 2 + i % 2, concat('token-', i % 2, '-', ${skewed(500)}), concat('model-', ${skewed(40)}),
        1000 + i % 90000, 100 + i % 9000, 10 + i % 2000, i % 60, i % 60000, 200 + i % 3000, i % 2,
        1 + ${skewed(40)} * 2 + i % 2, ${groupOf()}, '203.0.113.9', ${OTHER}
      from ${numbered}`,
  )
}

/** Two in a hundred rows belong to a small group; other groups have few calls, far apart. */
function groupOf(): RawBuilder<unknown> {
  return sql`case when i % 400009 = 7 then 'rare' when i % 30011 = 5 then 'seldom' when i % 5003 = 3 then 'some'
    when i % 50 = 0 then 'vip' else 'default' end`
}

const TABLES = [
  'logs',
  'log_hours',
  'usage_cells',
  'usage_routes',
  'usage_owners',
  'usage_owner_groups',
  'usage_route_days',
  'usage_owner_days',
  'usage_owner_model_days',
  'usage_owner_group_days',
  'usage_owner_channel_days',
]

/**
 * Updates the planner statistics, as a server's own maintenance would after some minutes; without it the
 * first queries would be planned on guesses.
 */
export async function analyzeLog(db: Db): Promise<void> {
  const engine = engineOf(db)
  if (engine === 'sqlite') return
  for (const table of TABLES)
    await sql.raw(engine === 'postgres' ? `vacuum analyze ${table}` : `analyze table ${table}`).execute(db)
}

const OTHER = JSON.stringify({
  model_ratio: 1.25,
  completion_ratio: 4,
  cache_ratio: 0.5,
  group_ratio: 1,
  model_price: -1,
  frt: 412,
  admin_info: {
    use_channel: ['3', '7'],
    attempts: [{ channel: 3, key: 0, outcome: 'rate_limited', status: 429, ms: 80 }],
  },
  receipt: {
    price_version: 41,
    price_model: 'gpt-4o',
    quota_per_unit: 500_000,
    held: '45000',
    ceiling: '90000',
    hold_ms: 2.1,
  },
})

/** Integers from 0 to below `size`, small ones far more often. */
function skewed(size: number): RawBuilder<unknown> {
  const [left, right] = [sql`(i * 7919 % ${sql.lit(size)})`, sql`(i * 104729 / 7 % ${sql.lit(size)})`]
  return sql`(${left} * ${right} / ${sql.lit(size)})`
}
