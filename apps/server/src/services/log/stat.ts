import { LOG_TYPE, type logRoutes } from '@tollgate/contract/log'
import { type LogFilter, sumLogRows } from '@tollgate/store/logs'
import { withUserIds } from '@tollgate/store/log-pages'
import { sumUsage } from '@tollgate/store/usage-sums'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { wireQuota } from '../wire-quota.ts'
import { filterOfAll, filterOfOwn } from './filter.ts'

const RATE_SECONDS = 60

export function statAllLogs(services: Services): Handler<typeof logRoutes.stat> {
  return ({ query }) => sums(services, filterOfAll(query))
}

export function statOwnLogs(services: Services): Handler<typeof logRoutes.statOwn> {
  return ({ query, actor }) => sums(services, filterOfOwn(query, actor.id))
}

/** Sums are of the time range; the rates are of the last minute, whatever the range. */
async function sums({ store, logs = store, clock }: Services, filter: LogFilter) {
  const consumption = { ...(await withUserIds(logs, filter, store)), type: LOG_TYPE.consumption }
  const minuteAgo = Math.floor(clock.nowMs() / 1000) - RATE_SECONDS
  const [whole, lastMinute] = await Promise.all([
    sumUsage(logs, consumption),
    sumLogRows(logs, { ...consumption, from: minuteAgo, until: undefined, isBrief: true }),
  ])
  return {
    quota: wireQuota(whole.quota),
    rpm: lastMinute.count,
    tpm: lastMinute.promptTokens + lastMinute.completionTokens,
    token: whole.promptTokens + whole.completionTokens,
    prompt_tokens: whole.promptTokens,
    completion_tokens: whole.completionTokens,
    count: whole.count,
  }
}
