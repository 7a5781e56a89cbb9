import { address } from '../address-kinds.ts'
import { choice, decimal, integer, quota, secret, text, toggle } from '../kinds.ts'
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
    AlertMail: text('', 320, {
      label: { en: 'Email', zh: '邮箱' },
      help: { en: 'Address that gets alerts by email.', zh: '通过邮件接收告警的地址。' },
    }),
    AlertFeishuUrl: secret({
      label: { en: 'Feishu bot: webhook URL', zh: '飞书机器人：Webhook 地址' },
      help: { en: 'From the custom bot of a Feishu or Lark group.', zh: '飞书群自定义机器人的地址。' },
    }),
    AlertFeishuSecret: secret({
      label: { en: 'Feishu bot: signing secret', zh: '飞书机器人：签名密钥' },
      help: { en: 'Only if the bot verifies signatures.', zh: '仅当机器人启用签名校验时填写。' },
    }),
    AlertDingTalkUrl: secret({
      label: { en: 'DingTalk bot: webhook URL', zh: '钉钉机器人：Webhook 地址' },
      help: { en: 'From the custom bot of a DingTalk group.', zh: '钉钉群自定义机器人的地址。' },
    }),
    AlertDingTalkSecret: secret({
      label: { en: 'DingTalk bot: signing secret', zh: '钉钉机器人：加签密钥' },
      help: { en: 'Begins with SEC; requests are signed with it.', zh: '以 SEC 开头，用于对请求加签。' },
    }),
    AlertWeComUrl: secret({
      label: { en: 'WeCom bot: webhook URL', zh: '企业微信机器人：Webhook 地址' },
      help: {
        en: 'Created under “group bots” in the settings of a chat.',
        zh: '在群聊设置的“群机器人”中添加后获得。',
      },
    }),
    AlertSlackUrl: secret({
      label: { en: 'Slack: webhook URL', zh: 'Slack：Webhook 地址' },
      help: { en: 'An incoming webhook of your workspace.', zh: '工作区的 Incoming Webhook 地址。' },
    }),
    AlertTelegramToken: secret({
      label: { en: 'Telegram: bot token', zh: 'Telegram：机器人令牌' },
      help: {
        en: 'From @BotFather. The bot must be in the chat.',
        zh: '由 @BotFather 提供，机器人须在会话中。',
      },
    }),
    AlertTelegramChat: text('', 100, {
      label: { en: 'Telegram: chat ID', zh: 'Telegram：会话 ID' },
      help: { en: 'The number of a chat, or @channel.', zh: '会话的数字 ID，或 @频道名。' },
    }),
    AlertTelegramUrl: address('https://api.telegram.org', {
      label: { en: 'Telegram: API address', zh: 'Telegram：API 地址' },
      help: { en: 'Only for an API server of your own.', zh: '仅在使用自建 API 服务器时修改。' },
    }),
    AlertBarkUrl: secret({
      label: { en: 'Bark: push URL', zh: 'Bark：推送地址' },
      help: {
        en: 'With your device key: https://api.day.app/KEY',
        zh: '包含设备密钥：https://api.day.app/KEY',
      },
    }),
    AlertNtfyUrl: secret({
      label: { en: 'ntfy: topic URL', zh: 'ntfy：主题地址' },
      help: { en: 'For example https://ntfy.sh/your-topic', zh: '例如 https://ntfy.sh/your-topic' },
    }),
    AlertNtfyToken: secret({
      label: { en: 'ntfy: access token', zh: 'ntfy：访问令牌' },
      help: { en: 'Only for a protected topic.', zh: '仅在主题受保护时填写。' },
    }),
    AlertWebhookUrl: secret({
      label: { en: 'Webhook URL', zh: 'Webhook 地址' },
      help: { en: 'Gets each alert as JSON by POST.', zh: '以 POST 方式接收 JSON 格式的告警。' },
    }),
    AlertWebhookSecret: secret({
      label: { en: 'Webhook signing secret', zh: 'Webhook 签名密钥' },
      help: {
        en: 'The header x-webhook-signature is the HMAC-SHA-256 of the body with it.',
        zh: '请求头 x-webhook-signature 为使用该密钥计算的正文 HMAC-SHA-256。',
      },
    }),
  },
})
