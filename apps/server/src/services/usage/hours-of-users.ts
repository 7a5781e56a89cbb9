import type { familyRoutes } from '@tollgate/contract/family'
import type { UsageHourRow } from '@tollgate/contract/usage'
import { problem } from '@tollgate/problems/problem'
import { type UsagePoint, usageSeries } from '@tollgate/store/usage/series'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { wireQuota } from '../wire-quota.ts'
import { SPENDING, spentBy } from './spent.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400
/** A month plus the margin that consoles add at both ends. */
const DAYS_MAX = 32
/** More than enough: new-api's console draws the ten users who spent most. */
const USERS_MAX = 100

export function readHoursOfUsers({
  store,
  logs = store,
}: Services): Handler<typeof familyRoutes.hoursOfUsers> {
  return async ({ query: { start_timestamp: from, end_timestamp: until } }) => {
    if (until < from) return []
    if (until - from > DAYS_MAX * DAY_SECONDS) throw problem('usage_span_too_long', { days: DAYS_MAX })
    const points = await usageSeries(logs, {
      filter: {
        types: SPENDING,
        from: Math.ceil(from / HOUR_SECONDS) * HOUR_SECONDS,
        until: Math.floor(until / HOUR_SECONDS) * HOUR_SECONDS + HOUR_SECONDS - 1,
      },
      by: 'user',
      step: { seconds: HOUR_SECONDS, shiftSeconds: 0 },
      keysMax: USERS_MAX,
    })
    return rowsOf(points.filter(({ isRest }) => !isRest))
  }
}

/**
 * The hour at the boundary between stored sums and single rows comes in two parts, which are added up here.
 */
function rowsOf(points: readonly UsagePoint[]): UsageHourRow[] {
  const rows = new Map<string, UsageHourRow>()
  for (const point of points) {
    const { at, key, label } = point
    const { calls, tokens, quota } = spentBy(point)
    const name = `${at} ${key}`
    const known = rows.get(name)
    rows.set(name, {
      id: 0,
      user_id: Number(key),
      username: label,
      model_name: '',
      created_at: at,
      token_used: (known?.token_used ?? 0) + tokens,
      count: (known?.count ?? 0) + calls,
      quota: wireQuota(BigInt(known?.quota ?? 0) + quota),
    })
  }
  return [...rows.values()]
    .toSorted((left, right) => left.created_at - right.created_at || left.user_id - right.user_id)
    .map((row, index) => ({ ...row, id: index + 1 }))
}
