import type { usageRoutes } from '@tollgate/contract/usage'
import { readInterrupted } from '@tollgate/ledger/reads'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'

export function countInterrupted({
  store,
  clock,
}: Pick<Services, 'store' | 'clock'>): Handler<typeof usageRoutes.interrupted> {
  return async ({ query: { start_timestamp: from, end_timestamp: until } }) => {
    const untilMs = until === 0 ? clock.nowMs() : until * 1000
    return { calls: await readInterrupted(store, { fromMs: from * 1000, untilMs }) }
  }
}
