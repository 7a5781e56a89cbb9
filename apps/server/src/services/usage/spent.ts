import { LOG_TYPE } from '@tollgate/contract/log'
import type { UsagePoint } from '@tollgate/store/usage-series'

/** Rows of the usage log that say what was spent: what calls were charged, and what their tasks gave back. */
export const SPENDING: readonly number[] = [LOG_TYPE.consumption, LOG_TYPE.refund]

/** A refund is no call, and takes away from what was spent. */
export function spentBy({ type, calls, promptTokens, completionTokens, quota }: UsagePoint) {
  if (type === LOG_TYPE.refund) return { calls: 0, tokens: 0, quota: -quota }
  return { calls, tokens: promptTokens + completionTokens, quota }
}
