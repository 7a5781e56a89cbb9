import { WAIVED_ROWS_MAX, type usageRoutes } from '@tollgate/contract/usage'
import { readInterrupted, readWaived } from '@tollgate/ledger/reads'
import { channelNames } from '@tollgate/store/logs/logs'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { wireQuota } from '../wire-quota.ts'

/** Quota that was waived because calls cost more than their hold permitted, by channel and model. */
export function readWaivedUsage({
  store,
  clock,
}: Pick<Services, 'store' | 'clock'>): Handler<typeof usageRoutes.waived> {
  return async ({ query: { start_timestamp: from, end_timestamp: until } }) => {
    const untilMs = until === 0 ? clock.nowMs() : until * 1000
    const sums = await readWaived(store, { fromMs: from * 1000, untilMs })
    const shown = sums.slice(0, WAIVED_ROWS_MAX)
    const names = await channelNames(store, [...new Set(shown.map(({ channelId }) => channelId))])
    return {
      calls: sums.reduce((sum, { calls }) => sum + calls, 0),
      quota: wireQuota(sums.reduce((sum, { units }) => sum + units, 0n)),
      rows: shown.map(({ channelId, model, calls, units }) => ({
        channel: channelId,
        channel_name: names.get(channelId) ?? '',
        model,
        calls,
        quota: wireQuota(units),
      })),
    }
  }
}

export function countInterrupted({
  store,
  clock,
}: Pick<Services, 'store' | 'clock'>): Handler<typeof usageRoutes.interrupted> {
  return async ({ query: { start_timestamp: from, end_timestamp: until } }) => {
    const untilMs = until === 0 ? clock.nowMs() : until * 1000
    return { calls: await readInterrupted(store, { fromMs: from * 1000, untilMs }) }
  }
}
