import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type LogFilter, logMatches } from './logs.ts'
import type { Database } from './schema.ts'
import { type UsageKey, type UsageStep, partsOf, spanMatches } from './usage-parts.ts'

/** How usage went over time, by one thing that calls differ in. */

export interface UsageSeriesInput {
  readonly filter: LogFilter
  readonly by: UsageKey
  readonly step: UsageStep
}

export interface UsagePoint {
  /** First second of the step. */
  readonly at: number
  /** A name, or an id in digits. */
  readonly key: string
  /** What an id is called; "" for names. */
  readonly label: string
  /** Of the rows, as in the log. */
  readonly type: number
  readonly calls: number
  readonly quota: bigint
  readonly promptTokens: number
  readonly completionTokens: number
  readonly durationMs: number
  readonly firstByteMs: number
  readonly firstBytes: number
  /** Of the calls whose cost was known, and what those were charged. */
  readonly cost: bigint
  readonly costedQuota: bigint
}

const KEYS: Readonly<Record<UsageKey, { readonly column: string; readonly label?: string }>> = {
  model: { column: 'model_name' },
  group: { column: 'group_name' },
  channel: { column: 'channel_id' },
  token: { column: 'token_id', label: 'token_name' },
  user: { column: 'user_id', label: 'username' },
}

/** In no order; a step, key and type that lies partly in days, hours and rows comes in pieces. */
export async function usageSeries(
  db: Kysely<Database>,
  { filter, by, step }: UsageSeriesInput,
): Promise<readonly UsagePoint[]> {
  const { summed, rows } = await partsOf(db, filter, { by, step })
  const pieces = await Promise.all([
    ...summed.map((span) =>
      readPoints(db, {
        table: span.table,
        where: spanMatches(filter, span),
        time: 'hour_at',
        calls: sql`sum(calls)`,
        firstBytes: sql`sum(first_bytes)`,
        costedQuota: sql`sum(costed_quota)`,
        by,
        step,
      }),
    ),
    ...rows.map((range) =>
      readPoints(db, {
        table: 'logs',
        where: logMatches({ ...filter, ...range }),
        time: 'created_at',
        calls: sql`count(*)`,
        firstBytes: sql`sum(case when first_byte_ms > 0 then 1 else 0 end)`,
        costedQuota: sql`sum(case when cost is null then 0 else quota end)`,
        by,
        step,
      }),
    ),
  ])
  return pieces.flat()
}

interface PointsQuery {
  readonly table: string
  readonly where: Expression<SqlBool>
  readonly time: string
  readonly calls: RawBuilder<unknown>
  readonly firstBytes: RawBuilder<unknown>
  readonly costedQuota: RawBuilder<unknown>
  readonly by: UsageKey
  readonly step: UsageStep
}

type Sum = bigint | number | string

interface SummedRow {
  readonly at: Sum
  readonly used_key: string | number
  readonly label: string
  readonly type: number
  readonly calls: Sum
  readonly quota: Sum
  readonly prompt: Sum
  readonly completion: Sum
  readonly duration: Sum
  readonly first_byte: Sum
  readonly first_bytes: Sum
  readonly cost: Sum
  readonly costed_quota: Sum
}

async function readPoints(db: Kysely<Database>, query: PointsQuery): Promise<readonly UsagePoint[]> {
  const { column, label } = KEYS[query.by]
  const time = sql.ref(query.time)
  const { seconds, shiftSeconds } = query.step
  const at = sql`${time} - ((${time} + ${sql.lit(shiftSeconds)}) % ${sql.lit(seconds)})`
  const { rows } = await sql<SummedRow>`
    select ${at} as at, ${sql.ref(column)} as used_key, ${label ? sql`max(${sql.ref(label)})` : sql.lit('')} as label, type,
      ${query.calls} as calls, sum(quota) as quota, sum(prompt_tokens) as prompt, sum(completion_tokens) as completion,
      sum(duration_ms) as duration, sum(first_byte_ms) as first_byte, ${query.firstBytes} as first_bytes,
      coalesce(sum(cost), 0) as cost, ${query.costedQuota} as costed_quota
    from ${sql.table(query.table)} where ${query.where} group by ${at}, ${sql.ref(column)}, type`.execute(db)
  return rows.map((row) => ({
    at: Number(row.at),
    key: String(row.used_key),
    label: row.label,
    type: row.type,
    calls: Number(row.calls),
    quota: BigInt(row.quota),
    promptTokens: Number(row.prompt),
    completionTokens: Number(row.completion),
    durationMs: Number(row.duration),
    firstByteMs: Number(row.first_byte),
    firstBytes: Number(row.first_bytes),
    cost: BigInt(row.cost),
    costedQuota: BigInt(row.costed_quota),
  }))
}
