import { callerFault } from '../definition.ts'

/** Problems of the usage log and its sums. */
export const logProblems = {
  log_target_missing: callerFault(400, {
    en: 'target_timestamp: a time in seconds is required',
    zh: '请指定要清理到的时间（target_timestamp）',
  }),
  log_target_future: callerFault(400, {
    en: 'target_timestamp lies in the future; it is a time in seconds, not in milliseconds',
    zh: 'target_timestamp 晚于当前时间；单位是秒，不是毫秒',
  }),
  usage_span_too_long: callerFault(400, {
    en: 'The time range must not be longer than {days} days',
    zh: '时间跨度不能超过 {days} 天',
  }),
  usage_range_too_long: callerFault(400, {
    en: 'The time range has more than {steps} steps: choose a shorter one, or a longer step',
    zh: '时间范围超过 {steps} 个时间段：请缩短范围或加大粒度',
  }),
}
