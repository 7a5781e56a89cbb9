import type { Language } from '@tollgate/problems/problem'
import { fill } from './fill.ts'
import type { AlertRuleName } from './rules.ts'

type Words = Readonly<Record<Language, string>>

/** The line of each rule; `{name}` is a value of the finding. */
const texts: Readonly<Record<AlertRuleName, Words>> = {
  channel: { en: 'Channel {name} (#{id}) is down', zh: '渠道 {name}（#{id}）不可用' },
  errors: {
    en: '{percent}% of the upstream requests failed: {failed} of {all} in ten minutes',
    zh: '上游请求失败率 {percent}%：十分钟内 {all} 次中失败 {failed} 次',
  },
  balance: {
    en: 'The balance of channel {name} (#{id}) is low: {balance}',
    zh: '渠道 {name}（#{id}）余额不足：{balance}',
  },
  debt: { en: 'All accounts together owe {debt} units of quota', zh: '所有账户共欠费 {debt} 额度' },
  audit: {
    en: 'The audit of the ledger found {count} differences',
    zh: '账本核对发现 {count} 处差异',
  },
  outbox: {
    en: 'Emails, credits or notifications have been waiting for {minutes} minutes',
    zh: '邮件、入账或通知已等待 {minutes} 分钟',
  },
  journal: {
    en: 'The database does not take charges; the oldest has been waiting for {seconds} seconds in the journal',
    zh: '数据库无法写入扣费，日志中最早的一笔已等待 {seconds} 秒',
  },
  allotment: {
    en: 'Quota of {count} accounts was out of reach of their calls for up to a minute, and was mended',
    zh: '{count} 个账户的部分额度曾无法使用（最长一分钟），现已修复',
  },
  budget: {
    en: 'Token {name} (#{id}) has spent {percent}% of its budget',
    zh: '令牌 {name}（#{id}）已使用预算的 {percent}%',
  },
  certificate: {
    en: 'The certificate of the sign-in provider is refused: {reason}',
    zh: '登录提供方的证书校验失败：{reason}',
  },
}

export const TEST_WORDS: Words = { en: 'This is a test of alerts', zh: '这是一条告警测试消息' }

const OVER: Words = { en: 'Over: {text}', zh: '已恢复：{text}' }

export function alertText(
  rule: AlertRuleName,
  values: Readonly<Record<string, string | number>>,
  language: Language,
): string {
  return fill(texts[rule][language], values)
}

export function recoveryText(text: string, language: Language): string {
  return fill(OVER[language], { text })
}
