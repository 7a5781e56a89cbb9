import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Condition } from '../database/condition.ts'
import { type LogFilter, logMatches, withinRanges } from '../logs/filter.ts'
import type { Db } from '../tables/schema.ts'
import { engineOf } from '../database/traits.ts'
import { type UsageKey, type UsageStep, isOfAllOwners, partsOf, spanMatches } from './parts.ts'
import { HOUR_SECONDS } from './aggregation.ts'
import { usageFrozen } from './roll-up.ts'
import { buildMovedTime, listSplitHours, type StepTime, shifted, stepAt } from './time-zones.ts'
import { type RankedKeys, keyIn, largestKeys, usageColumns } from './ranks.ts'

/** Usage over time, by model, token, channel, user or group. */

export interface UsageSeriesInput {
  readonly filter: LogFilter
  readonly by: UsageKey
  readonly step: UsageStep
  /**
   * Number of keys with the highest charges that are returned separately; all others are combined. Without
   * it, every key is separate.
   */
  readonly keysMax?: number
}

export interface UsagePoint {
  /** First second of the step. */
  readonly at: number
  /** A name, or an id in digits; "" for the combined rest. */
  readonly key: string
  readonly isRest: boolean
  /** The name that belongs to the id; "" when the key is a name. */
  readonly label: string
  /** Type of the log rows. */
  readonly type: number
  readonly calls: number
  readonly quota: bigint
  readonly promptTokens: number
  readonly completionTokens: number
  readonly durationMs: number
  readonly firstByteMs: number
  readonly firstBytes: number
  /** Cost of the calls whose cost was known; `costedQuota` is the charge for the same calls. */
  readonly cost: bigint
  readonly costedQuota: bigint
  readonly cachedTokens: number
  readonly cacheSaved: bigint
}

/**
 * Points come in no order. A step, key and type may be split over several points (from days, hours and rows),
 * some of them negative; add them up.
 */
export async function usageSeries(
  db: Db,
  { filter, by, step, keysMax }: UsageSeriesInput,
): Promise<readonly UsagePoint[]> {
  if (keysMax === undefined) return readSeries(db, { filter, step, by })
  const ranked = await largestKeys(db, { filter, by, keysMax })
  if (ranked.keys.length === 0) return []
  if (!isOfAllOwners(filter, by)) return readSeries(db, { filter, step, by, ranked })
  const narrow = { filter: { ...filter, ...onlyOf(ranked) }, step, by }
  // With the condition on users stated twice, a query planner would estimate too few rows.
  const ofRanked = by === 'user' && ranked.userIds ? narrow : { ...narrow, ranked, isApart: true }
  if (ranked.keys.length < keysMax) return readSeries(db, ofRanked)
  const [apart, all] = await Promise.all([readSeries(db, ofRanked), readSeries(db, { filter, step })])
  return [...apart, ...all, ...apart.map(notInRest)]
}

function notInRest(point: UsagePoint): UsagePoint {
  return { ...negative(point), key: '', isRest: true, label: '' }
}

/** Restricts the filter to the users of these keys, because the sums are indexed by user. */
function onlyOf({ userIds }: RankedKeys): LogFilter {
  return userIds ? { userIds } : {}
}

function negative(point: UsagePoint): UsagePoint {
  return {
    ...point,
    calls: -point.calls,
    quota: -point.quota,
    promptTokens: -point.promptTokens,
    completionTokens: -point.completionTokens,
    durationMs: -point.durationMs,
    firstByteMs: -point.firstByteMs,
    firstBytes: -point.firstBytes,
    cost: -point.cost,
    costedQuota: -point.costedQuota,
    cachedTokens: -point.cachedTokens,
    cacheSaved: -point.cacheSaved,
  }
}

interface Series {
  readonly filter: LogFilter
  readonly step: UsageStep
  /** Without it, everything is combined into one key. */
  readonly by?: UsageKey
  /** Keys that stay separate; all others are combined as the rest. */
  readonly ranked?: RankedKeys
  /** Leaves out the rest. */
  readonly isApart?: boolean
}

async function readSeries(db: Db, series: Series): Promise<readonly UsagePoint[]> {
  const { filter, by, step } = series
  const { summed, rows } = await partsOf(db, filter, { step, ...(by && { by }) })
  const engine = engineOf(db)
  const isInHours = step.shiftSeconds % HOUR_SECONDS === 0
  const split = isInHours ? [] : listSplitHours(summed, step, await usageFrozen(db))
  const ofRows = {
    table: 'logs',
    calls: sql`count(*)`,
    firstBytes: sql`sum(case when first_byte_ms > 0 then 1 else 0 end)`,
    costedQuota: sql`sum(case when cost is null then 0 else quota end)`,
  }
  const pieces = await Promise.all([
    ...summed
      .flatMap((span) => shifted(span, step))
      .map(({ table, time, hours, ...span }) =>
        readPoints(db, {
          ...series,
          table,
          where: sql<SqlBool>`${spanMatches(filter, { table, ...span })}${hours ? sql` and ${hours}` : sql``}`,
          time,
          calls: sql`sum(calls)`,
          firstBytes: sql`sum(first_bytes)`,
          costedQuota: sql`sum(costed_quota)`,
        }),
      ),
    ...rows.map((range) =>
      readPoints(db, {
        ...series,
        ...ofRows,
        where: logMatches({ ...filter, ...range }, engine),
        time: { at: stepAt(sql.ref('created_at'), step) },
      }),
    ),
    ...(split.length === 0
      ? []
      : [
          readPoints(db, {
            ...series,
            ...ofRows,
            where: logMatches(withinRanges(filter, split), engine),
            time: buildMovedTime(step),
          }),
        ]),
  ])
  return pieces.flat()
}

interface PointsQuery extends Omit<Series, 'filter' | 'step'> {
  readonly table: string
  readonly where: Condition
  readonly time: StepTime
  readonly calls: RawBuilder<unknown>
  readonly firstBytes: RawBuilder<unknown>
  readonly costedQuota: RawBuilder<unknown>
}

type Sum = bigint | number | string

interface SummedRow {
  readonly at: Sum
  readonly taken_at: Sum | null
  readonly used_key: string | number | null
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
  readonly cached: Sum
  readonly saved: Sum
}

async function readPoints(db: Db, query: PointsQuery): Promise<readonly UsagePoint[]> {
  const { table, where, by, ranked, isApart } = query
  const { at, takenAt = sql.lit(null) } = query.time
  const { key, label } = by ? usageColumns(by, table) : { key: sql.lit(null), label: sql.lit('') }
  const rankedKeys = ranked && keyIn(key, ranked)
  const keyOrRest = rankedKeys && !isApart ? sql`case when ${rankedKeys} then ${key} end` : key
  const { rows } = await sql<SummedRow>`
    select ${at} as at, ${takenAt} as taken_at, ${keyOrRest} as used_key, type, max(${label}) as label,
      ${query.calls} as calls, sum(quota) as quota, sum(prompt_tokens) as prompt, sum(completion_tokens) as completion,
      sum(duration_ms) as duration, sum(first_byte_ms) as first_byte, ${query.firstBytes} as first_bytes,
      coalesce(sum(cost), 0) as cost, ${query.costedQuota} as costed_quota,
      coalesce(sum(cached_tokens), 0) as cached, coalesce(sum(cache_saved), 0) as saved
    from ${sql.table(table)} where ${where}${rankedKeys && isApart ? sql` and ${rankedKeys}` : sql``}
    group by 1, 2, 3, 4`.execute(db)
  return rows.flatMap((row) => {
    const point = pointOf(row)
    return row.taken_at === null ? [point] : [point, { ...negative(point), at: Number(row.taken_at) }]
  })
}

function pointOf(row: SummedRow): UsagePoint {
  return {
    at: Number(row.at),
    key: row.used_key === null ? '' : String(row.used_key),
    isRest: row.used_key === null,
    label: row.used_key === null ? '' : row.label,
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
    cachedTokens: Number(row.cached),
    cacheSaved: BigInt(row.saved),
  }
}
