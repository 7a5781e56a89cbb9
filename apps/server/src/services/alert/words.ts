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
  copy: {
    en: 'This database is a copy that nobody has confirmed: backups, log sinks, mails, webhooks, other alerts and automatic disabling are off',
    zh: '该数据库是未经确认的副本：备份、日志外发、邮件、Webhook、其他告警和自动禁用均已停用',
  },
  disk: {
    en: 'The disk of {host} has {percent}% of its room left, {mebibytes} MiB; without room new calls are refused',
    zh: '主机 {host} 的磁盘剩余空间为 {percent}%（{mebibytes} MiB）；空间用尽后将拒绝新的调用',
  },
  budget: {
    en: 'Token {name} (#{id}) has spent {percent}% of its budget',
    zh: '令牌 {name}（#{id}）已使用预算的 {percent}%',
  },
  fee_unknown: {
    en: 'Channel {name} (#{id}), {model}: {calls} calls used a tool whose fee has no price, so it was not charged (calls charged {amount}). Set its price in Settings, Tool prices.',
    zh: '渠道 {name}（#{id}）的 {model}：{calls} 次调用使用了没有价格的工具，未收取该费用（调用共计费 {amount}）。请在系统设置的“工具价格”中定价。',
  },
  tool_unknown: {
    en: 'Channel {name} (#{id}), {model}: {calls} calls passed on tools of the vendor that nobody knows: {detail} (charged {amount}). Look in the vendor’s price list whether they cost money.',
    zh: '渠道 {name}（#{id}）的 {model}：{calls} 次调用转发了未知的供应商工具：{detail}（计费 {amount}）。请查阅供应商价目，确认是否收费。',
  },
  usage_mended: {
    en: 'Channel {name} (#{id}), {model}: the usage of {calls} calls contradicted itself and was mended (charged {amount}). Compare them with the vendor’s bill.',
    zh: '渠道 {name}（#{id}）的 {model}：{calls} 次调用的用量自相矛盾，已修正（计费 {amount}）。请与供应商账单核对。',
  },
  served_other: {
    en: 'Channel {name} (#{id}), {model}: {calls} calls were served by {detail}, which nobody asked for (charged {amount}). Check the model mapping, or ask the vendor.',
    zh: '渠道 {name}（#{id}）的 {model}：{calls} 次调用由未被请求的 {detail} 提供（计费 {amount}）。请检查模型映射，或询问供应商。',
  },
  waived: {
    en: 'Channel {name} (#{id}), {model}: {calls} calls cost more than they were admitted for; {amount} was not charged. Check the limits of the model.',
    zh: '渠道 {name}（#{id}）的 {model}：{calls} 次调用的费用超出获准的上限，{amount} 未收取。请检查该模型的限制。',
  },
  usage_unknown: {
    en: 'Channel {name} (#{id}), {model}: {calls} calls reported counts that nobody knows: {detail} (charged {amount} without them). Look in the vendor’s price list whether they cost money.',
    zh: '渠道 {name}（#{id}）的 {model}：{calls} 次调用报告了未知的用量项：{detail}（未计入，计费 {amount}）。请查阅供应商价目，确认是否收费。',
  },
  cost_doubted: {
    en: 'Channel {name} (#{id}), {model}: the cost that the vendor told for {calls} calls is far from ours ({detail}; charged {amount}). Check the price of the model and the costs of the channel.',
    zh: '渠道 {name}（#{id}）的 {model}：{calls} 次调用中，供应商给出的成本与网关计算的相差悬殊（{detail}；计费 {amount}）。请检查模型价格和渠道成本。',
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
