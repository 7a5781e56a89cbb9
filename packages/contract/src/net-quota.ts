import { LOG_TYPE, type LogRow } from './log.ts'

/** What a row adds to what was spent: a refund takes away, though its `quota` is positive as in the whole family. */
export function netQuota({ type, quota }: Pick<LogRow, 'type' | 'quota'>): number {
  return type === LOG_TYPE.refund && quota !== 0 ? -quota : quota
}
