import {
  USAGE_KEYS_MAX,
  USAGE_STEPS_MAX,
  type UsagePoint,
  type UsageStepName,
  type usageRoutes,
} from '@tollgate/contract/usage'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import { withTokenUserIds } from '@tollgate/store/logs/pages'
import type { LogFilter } from '@tollgate/store/logs/filter'
import { channelNames } from '@tollgate/store/logs/logs'
import type { UsageStep } from '@tollgate/store/usage/parts'
import { type UsagePoint as StoredPoint, usageSeries } from '@tollgate/store/usage/series'
import type { z } from 'zod'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { wireQuota } from '../wire-quota.ts'

type Query = z.output<typeof usageRoutes.series.query>
type OwnQuery = z.output<typeof usageRoutes.seriesOwn.query>

export function readSeries(services: Services): Handler<typeof usageRoutes.series> {
  return async ({ query }) => {
    const { username, channel: channelId } = query
    const series = await read(services, { ...filterOf(query), username, channelId }, query)
    return query.by === 'channel' ? { ...series, points: await named(services, series.points) } : series
  }
}

/** Users get neither channel data nor data of other users. */
export function readOwnSeries(services: Services): Handler<typeof usageRoutes.seriesOwn> {
  return ({ query, actor }) => read(services, { ...filterOf(query), userId: actor.id }, query)
}

const TYPES = [LOG_TYPE.consumption, LOG_TYPE.error, LOG_TYPE.refund]

function filterOf(query: Omit<OwnQuery, 'by'>): LogFilter {
  return {
    types: TYPES,
    from: query.start_timestamp,
    until: query.end_timestamp,
    tokenName: query.token_name,
    modelName: query.model_name,
    group: query.group,
  }
}

type SeriesQuery = Pick<Query, 'step' | 'by' | 'offset_minutes'>

async function read({ store, logs = store }: Services, filter: LogFilter, query: SeriesQuery) {
  const step = stepOf(query.step, query.offset_minutes)
  const { from = 0, until = 0 } = filter
  if (until < from || (until - from) / step.seconds > USAGE_STEPS_MAX)
    throw problem('usage_range_too_long', { steps: USAGE_STEPS_MAX })
  const { by } = query
  const known = await withTokenUserIds(logs, { filter, by }, store)
  const points = await usageSeries(logs, { filter: known, by, step, keysMax: USAGE_KEYS_MAX })
  return { step_seconds: step.seconds, points: whole(points) }
}

const DAY_SECONDS = 86_400
const STEP_SECONDS: Readonly<Record<UsageStepName, number>> = {
  hour: 3600,
  day: DAY_SECONDS,
  week: 7 * DAY_SECONDS,
}
/** The Unix epoch began on a Thursday, and a week begins on Monday. */
const WEEK_SHIFT_SECONDS = 3 * DAY_SECONDS

function stepOf(name: UsageStepName, offsetMinutes: number): UsageStep {
  if (name === 'hour') return { seconds: STEP_SECONDS.hour, shiftSeconds: 0 }
  const shift = offsetMinutes * 60 + (name === 'week' ? WEEK_SHIFT_SECONDS : 0)
  const seconds = STEP_SECONDS[name]
  // Made non-negative: the result of `%` has the sign of the dividend.
  return { seconds, shiftSeconds: ((shift % seconds) + seconds) % seconds }
}

/** Merges the partial points of one step and key into one point. */
function whole(points: readonly StoredPoint[]): UsagePoint[] {
  const merged = new Map<string, UsagePoint>()
  for (const point of points) {
    const name = `${point.at} ${point.isRest ? '' : `=${point.key}`}`
    merged.set(name, plus(merged.get(name) ?? emptyAt(point), point))
  }
  return [...merged.values()]
    .filter(({ calls, errors, quota, cost, costed_quota: costed }) =>
      [calls, errors, quota, cost, costed].some((sum) => sum !== 0),
    )
    .toSorted((left, right) => left.at - right.at)
}

function emptyAt({ at, key, label, isRest }: StoredPoint): UsagePoint {
  return {
    at,
    key,
    label: label || key,
    is_rest: isRest,
    calls: 0,
    errors: 0,
    quota: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    duration_ms: 0,
    first_byte_ms: 0,
    first_bytes: 0,
    cost: 0,
    costed_quota: 0,
    cached_tokens: 0,
    cache_saved: 0,
  }
}

/** A failed call has no tokens, and its duration must not count as response time; a refund is not a call. */
function plus(sum: UsagePoint, point: StoredPoint): UsagePoint {
  if (point.type === LOG_TYPE.error) return { ...sum, errors: sum.errors + point.calls }
  if (point.type === LOG_TYPE.refund) return { ...sum, ...chargedBy(sum, point, -1n) }
  return {
    ...sum,
    calls: sum.calls + point.calls,
    prompt_tokens: sum.prompt_tokens + point.promptTokens,
    completion_tokens: sum.completion_tokens + point.completionTokens,
    duration_ms: sum.duration_ms + point.durationMs,
    first_byte_ms: sum.first_byte_ms + point.firstByteMs,
    first_bytes: sum.first_bytes + point.firstBytes,
    cached_tokens: sum.cached_tokens + point.cachedTokens,
    cache_saved: wireQuota(BigInt(sum.cache_saved) + point.cacheSaved),
    ...chargedBy(sum, point, 1n),
  }
}

/** A refund reduces the charged quota, the cost, and the quota with known cost. */
function chargedBy(sum: UsagePoint, { quota, cost, costedQuota }: StoredPoint, sign: 1n | -1n) {
  return {
    quota: wireQuota(BigInt(sum.quota) + sign * quota),
    cost: wireQuota(BigInt(sum.cost) + sign * cost),
    costed_quota: wireQuota(BigInt(sum.costed_quota) + sign * costedQuota),
  }
}

async function named({ store }: Services, points: readonly UsagePoint[]): Promise<UsagePoint[]> {
  const ids = [...new Set(points.flatMap(({ key, is_rest }) => (is_rest ? [] : [Number(key)])))]
  const names = await channelNames(store, ids)
  return points.map((point) => ({ ...point, label: names.get(Number(point.key)) ?? point.label }))
}
