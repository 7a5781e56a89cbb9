import { LOG_TYPE } from '@tollgate/kit/codes'
import type { EventText, Language } from './texts.ts'

const words: ReadonlyMap<number, EventText> = new Map<number, EventText>([
  [LOG_TYPE.topUp, { en: 'Top-up', zh: '充值' }],
  [LOG_TYPE.consumption, { en: 'Consumption', zh: '消费' }],
  [LOG_TYPE.management, { en: 'Management', zh: '管理' }],
  [LOG_TYPE.system, { en: 'System', zh: '系统' }],
  [LOG_TYPE.checkIn, { en: 'Check-in', zh: '签到' }],
  [LOG_TYPE.refund, { en: 'Refund', zh: '退款' }],
  [LOG_TYPE.signIn, { en: 'Sign-in', zh: '登录' }],
  [LOG_TYPE.error, { en: 'Error', zh: '错误' }],
  [LOG_TYPE.refusal, { en: 'Refused', zh: '被拒绝' }],
])
/** For types found only in imported rows. */
const OTHER: EventText = { en: 'Other', zh: '其他' }

export function logTypeText(type: number, language: Language): string {
  return (words.get(type) ?? OTHER)[language]
}
