import { LOG_TYPE } from '@tollgate/kit/codes'
import type { UsagePoint } from '@tollgate/store/usage/series'

/** Log types that make up the spending: charges of calls and refunds of tasks. */
export const SPENDING: readonly number[] = [LOG_TYPE.consumption, LOG_TYPE.refund]

/** A refund is not a call and reduces the amount spent. */
export function spentBy({ type, calls, promptTokens, completionTokens, quota }: UsagePoint) {
  if (type === LOG_TYPE.refund) return { calls: 0, tokens: 0, quota: -quota }
  return { calls, tokens: promptTokens + completionTokens, quota }
}
