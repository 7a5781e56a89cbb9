import { receiverForms } from '../../alert-receivers.ts'
import { choice, decimal, integer, quota, toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const alertsSection = section({
  key: 'alerts',
  title: { en: 'Alerts', zh: '告警' },
  purpose: {
    en: 'Messages to operators when something needs attention, and again when it is over.',
    zh: '出现需要处理的情况时通知运维人员，恢复后再次通知。',
  },
  // Whoever sets the receivers reads what is wrong with the gateway.
  isGuarded: true,
  finds: [{ en: 'Receivers', zh: '接收方' }, ...Object.values(receiverForms).map(({ title }) => title)],
  settings: {
    AlertsEnabled: toggle(false, {
      label: { en: 'Send alerts', zh: '发送告警' },
      help: {
        en: 'Checks channels, errors, balances, debt, the ledger, the outbox and budgets every 30 seconds.',
        zh: '每 30 秒检查渠道、错误、余额、欠费、账本、待办队列与预算。',
      },
    }),
    AlertLanguage: choice('en', {
      label: { en: 'Language of alerts', zh: '告警语言' },
      help: { en: 'All receivers get this language.', zh: '所有接收方使用该语言。' },
      choices: { en: { en: 'English', zh: '英文' }, zh: { en: 'Chinese', zh: '中文' } },
    }),
    AlertsPerHour: integer(20, {
      min: 1,
      max: 1000,
      label: { en: 'Most alerts an hour', zh: '每小时最多告警数' },
      help: {
        en: 'Further ones appear on the operations page only.',
        zh: '超出部分仅显示在运行状况页面。',
      },
    }),
    AlertErrorPercent: decimal(20, {
      min: 0,
      max: 100,
      label: { en: 'Share of failed upstream requests (%)', zh: '上游请求失败率（%）' },
      help: {
        en: 'An alert at this share of the last ten minutes, with 20 requests or more; 0 means never.',
        zh: '最近十分钟达到该比例且不少于 20 次请求时告警，0 表示不告警。',
      },
    }),
    AlertUpstreamBalance: decimal(0, {
      min: 0,
      max: 1_000_000_000,
      label: { en: 'Lowest balance at an upstream', zh: '上游最低余额' },
      help: {
        en: 'An alert when the last known balance of an enabled channel is below it; 0 means never.',
        zh: '已启用渠道最近一次查询的余额低于该值时告警，0 表示不告警。',
      },
    }),
    AlertDebt: quota(0, {
      label: { en: 'Largest debt of all accounts', zh: '欠费总额上限' },
      help: { en: 'An alert above it; 0 means never.', zh: '超过该值时告警，0 表示不告警。' },
    }),
  },
})
