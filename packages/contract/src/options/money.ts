import { ratios } from './json-kinds.ts'
import { address, decimal, integer, secret, text, toggle } from './kinds.ts'

const QUOTA_MAX = 1_000_000_000_000
const UNITS = { min: 0, max: QUOTA_MAX }

/** Mail, payment, and the quota users are given. */
export const moneyOptions = {
  SMTPServer: text('', 253, { section: 'mail', en: 'Mail server.', zh: 'SMTP 服务器。' }),
  SMTPPort: integer(
    587,
    { min: 1, max: 65_535 },
    {
      section: 'mail',
      en: 'Port of the mail server; 465 means TLS from the start.',
      zh: 'SMTP 端口，465 强制使用 TLS。',
    },
  ),
  SMTPSSLEnabled: toggle(false, { section: 'mail', en: 'TLS from the start.', zh: '启用 SMTP SSL。' }),
  SMTPAccount: text('', 320, { section: 'mail', en: 'Mail account.', zh: 'SMTP 账户。' }),
  SMTPFrom: text('', 320, {
    section: 'mail',
    en: 'Sender; empty means the account.',
    zh: '发件人，留空则使用账户。',
  }),
  SMTPToken: secret({ section: 'mail', en: 'Mail password.', zh: 'SMTP 访问凭证。' }),
  WorkerUrl: address('', {
    section: 'mail',
    en: 'Helper for webhooks and images.',
    zh: 'Webhook 与图片代理地址。',
  }),
  WorkerValidKey: secret({ section: 'mail', en: 'Key of the helper.', zh: '代理密钥。' }),
  PayAddress: address('', {
    section: 'payment',
    en: 'Address of the payment gateway.',
    zh: '支付网关地址。',
  }),
  EpayId: text('', 100, { section: 'payment', en: 'Merchant id.', zh: '商户 ID。' }),
  EpayKey: secret({ section: 'payment', en: 'Merchant key.', zh: '商户密钥。' }),
  CustomCallbackAddress: address('', {
    section: 'payment',
    en: 'Base address of payment callbacks; empty means the server address.',
    zh: '支付回调地址，留空则使用服务器地址。',
  }),
  Price: decimal(
    7.3,
    { min: 0.0001, max: 1_000_000 },
    {
      section: 'payment',
      en: 'Local currency for one currency unit of quota.',
      zh: '每单位额度的本地货币价格。',
    },
  ),
  MinTopUp: integer(
    1,
    { min: 1, max: 1_000_000 },
    { section: 'payment', en: 'Smallest top-up.', zh: '最低充值数量。' },
  ),
  TopupGroupRatio: ratios(
    { default: 1, vip: 1, svip: 1 },
    { section: 'payment', en: 'Price factor of a top-up by group.', zh: '分组充值倍率。' },
  ),
  QuotaPerUnit: integer(
    500_000,
    { min: 1, max: 1_000_000_000 },
    {
      section: 'quota',
      en: 'Quota for one currency unit. Changing it does not change balances.',
      zh: '单位货币对应的额度，修改不影响已有余额。',
    },
  ),
  QuotaForNewUser: integer(0, UNITS, {
    section: 'quota',
    en: 'Given to a new user.',
    zh: '新用户初始额度。',
  }),
  QuotaForInviter: integer(0, UNITS, {
    section: 'quota',
    en: 'Given to who invited.',
    zh: '邀请新用户奖励额度。',
  }),
  QuotaForInvitee: integer(0, UNITS, {
    section: 'quota',
    en: 'Given to who was invited.',
    zh: '使用邀请码奖励额度。',
  }),
  QuotaRemindThreshold: integer(1000, UNITS, {
    section: 'quota',
    en: 'Default balance below which a user is warned.',
    zh: '默认额度提醒阈值。',
  }),
  PreConsumedQuota: integer(
    500,
    { min: 0, max: 100_000_000 },
    {
      section: 'quota',
      en: 'Tokens assumed for the hold when a request names no maximum.',
      zh: '请求未指定最大 token 数时预扣的数量。',
    },
  ),
  CheckInEnabled: toggle(false, { section: 'quota', en: 'Daily check-in.', zh: '启用每日签到。' }),
  CheckInQuota: integer(1000, UNITS, {
    section: 'quota',
    en: 'Smallest check-in reward.',
    zh: '签到最低奖励额度。',
  }),
  CheckInMaxQuota: integer(0, UNITS, {
    section: 'quota',
    en: 'Largest check-in reward, when above the smallest.',
    zh: '签到最高奖励额度，高于最低值时生效。',
  }),
  RebateEnabled: toggle(false, { section: 'quota', en: 'Rebate to the inviter.', zh: '启用邀请返利。' }),
  RebatePercentage: decimal(
    0,
    { min: 0, max: 100 },
    { section: 'quota', en: 'Percent of rebate.', zh: '返利百分比。' },
  ),
}
