import { LOG_TYPE } from '@tollgate/kit/codes'
import type { LogRow } from './log.ts'

/**
 * A row's contribution to the amount spent. A refund counts negatively, although its `quota` is positive as
 * in new-api.
 */
export function netQuota({ type, quota }: Pick<LogRow, 'type' | 'quota'>): number {
  return type === LOG_TYPE.refund && quota !== 0 ? -quota : quota
}
