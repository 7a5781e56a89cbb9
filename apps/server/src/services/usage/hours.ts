import type { UsageHourRow, usageRoutes } from '@tollgate/contract/usage'
import { problem } from '@tollgate/problems/problem'
import { firstSummedHour, importedHours } from '@tollgate/store/usage/imported-usage'
import { type UsagePoint, usageSeries } from '@tollgate/store/usage/series'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { wireQuota } from '../wire-quota.ts'
import { SPENDING, spentBy } from './spent.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400
/** new-api's console requests 30 days up to an hour from now, without rounding either end. */
const OWN_DAYS_MAX = 32
const DAYS_MAX = 366

export function readHours(services: Services): Handler<typeof usageRoutes.hours> {
  return ({ query: { start_timestamp: from, end_timestamp: until, username } }) =>
    read(services, { from, until, username, daysMax: DAYS_MAX })
}

export function readOwnHours(services: Services): Handler<typeof usageRoutes.hoursOwn> {
  return ({ query: { start_timestamp: from, end_timestamp: until }, actor }) =>
    read(services, {
      from,
      until,
      userId: actor.id,
      username: undefined,
      shownName: actor.username,
      daysMax: OWN_DAYS_MAX,
    })
}

interface HoursInput {
  readonly from: number
  readonly until: number
  readonly userId?: number
  readonly username: string | undefined
  /** The name to show when rows are found by user id. */
  readonly shownName?: string
  readonly daysMax: number
}

/** Both times are compared with the start of an hour. */
async function read({ store, logs = store }: Services, input: HoursInput): Promise<UsageHourRow[]> {
  const { from, until, userId, username, shownName = username ?? '', daysMax } = input
  if (until < from) return []
  if (until - from > daysMax * DAY_SECONDS) throw problem('usage_span_too_long', { days: daysMax })
  const filter = { userId, username, types: SPENDING }
  const first = (await firstSummedHour(logs)) ?? Number.MAX_SAFE_INTEGER
  const [before, since] = await Promise.all([
    importedHours(store, { ...filter, from, until: Math.min(until, first - 1) }),
    usageSeries(logs, {
      filter: {
        ...filter,
        from: Math.ceil(from / HOUR_SECONDS) * HOUR_SECONDS,
        until: Math.floor(until / HOUR_SECONDS) * HOUR_SECONDS + HOUR_SECONDS - 1,
      },
      by: 'model',
      step: { seconds: HOUR_SECONDS, shiftSeconds: 0 },
    }),
  ])
  const rows = [
    ...before.map(({ hourAt, modelName, ...sums }) => ({ at: hourAt, model: modelName, ...sums })),
    ...joined(since),
  ]
  return rows.map((row, index) => ({
    id: index + 1,
    user_id: userId ?? 0,
    username: shownName,
    model_name: row.model,
    created_at: row.at,
    token_used: row.tokens,
    count: row.calls,
    quota: wireQuota(row.quota),
  }))
}

interface Hour {
  readonly at: number
  readonly model: string
  readonly calls: number
  readonly tokens: number
  readonly quota: bigint
}

function joined(points: readonly UsagePoint[]): readonly Hour[] {
  const hours = new Map<string, Hour>()
  for (const point of points) {
    const { at, key } = point
    const { calls, tokens, quota } = spentBy(point)
    const name = `${at} ${key}`
    const known = hours.get(name) ?? { at, model: key, calls: 0, tokens: 0, quota: 0n }
    hours.set(name, {
      ...known,
      calls: known.calls + calls,
      tokens: known.tokens + tokens,
      quota: known.quota + quota,
    })
  }
  return [...hours.values()].toSorted((left, right) => left.at - right.at)
}
