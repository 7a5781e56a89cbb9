import type { logRoutes } from '@tollgate/contract/log'
import { LOG_TYPE } from '@tollgate/kit/codes'
import type { LogFilter } from '@tollgate/store/logs/filter'
import { type LogSums, sumLogRows } from '@tollgate/store/logs/logs'
import { withUserIds } from '@tollgate/store/logs/pages'
import { sumUsage } from '@tollgate/store/usage/sums'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { SPENDING } from '../usage/spent.ts'
import { wireQuota } from '../wire-quota.ts'
import { filterOfAll, filterOfOwn } from './filter.ts'

const RATE_SECONDS = 60

export function statAllLogs(services: Services): Handler<typeof logRoutes.stat> {
  return ({ query }) => sums(services, filterOfAll(query))
}

export function statOwnLogs(services: Services): Handler<typeof logRoutes.statOwn> {
  return ({ query, actor }) => sums(services, filterOfOwn(query, actor.id))
}

/** Types of rows that calls create. All other types count as free, whatever quota an imported row has. */
const OF_CALLS: ReadonlySet<number> = new Set([LOG_TYPE.consumption, LOG_TYPE.refund, LOG_TYPE.error])

/**
 * Sums cover the requested time range; the rates always cover the last minute. Both respect the requested
 * type.
 */
async function sums({ store, logs = store, clock }: Services, filter: LogFilter) {
  const { type } = filter
  if (type !== undefined && !OF_CALLS.has(type)) return wireSums(NO_SUMS, NO_SUMS)
  const named = await withUserIds(logs, filter, store)
  const known = type === undefined ? { ...named, types: SPENDING } : named
  const minuteAgo = Math.floor(clock.nowMs() / 1000) - RATE_SECONDS
  const [whole, lastMinute] = await Promise.all([
    sumUsage(logs, known),
    sumLogRows(logs, { ...known, from: minuteAgo, until: undefined, isBrief: true }),
  ])
  return wireSums(whole, lastMinute)
}

const NO_SUMS: LogSums = { quota: 0n, promptTokens: 0, completionTokens: 0, count: 0, calls: 0 }

function wireSums(whole: LogSums, lastMinute: LogSums) {
  const { promptTokens, completionTokens } = whole
  return {
    quota: wireQuota(whole.quota),
    rpm: lastMinute.calls,
    tpm: lastMinute.promptTokens + lastMinute.completionTokens,
    token: promptTokens + completionTokens,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    token_total: promptTokens + completionTokens,
    token_input: promptTokens,
    token_output: completionTokens,
    count: whole.calls,
  }
}
