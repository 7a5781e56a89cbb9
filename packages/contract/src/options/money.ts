import { columns, ratios } from './json-kinds.ts'
import { address, decimal, integer, secret, text, toggle } from './kinds.ts'

const QUOTA_MAX = 1_000_000_000_000
const UNITS = { min: 0, max: QUOTA_MAX }

/** Mail, payment, and the quota users are given. */
export const moneyOptions = {
  SMTPServer: text('', 253, {
    section: 'mail',
    en: 'Host name of your mail server. Empty: no mail is sent.',
    zh: '邮件服务器的主机名，留空则不发送邮件。',
  }),
  SMTPPort: integer(
    587,
    { min: 1, max: 65_535 },
    {
      section: 'mail',
      en: '587 begins in the clear and goes over to TLS; 465 is TLS from the start.',
      zh: '587 先建立连接再升级为 TLS；465 从一开始就使用 TLS。',
    },
  ),
  SMTPSSLEnabled: toggle(false, {
    section: 'mail',
    en: 'Speaks TLS from the first byte, whatever the port.',
    zh: '无论端口，从第一个字节起使用 TLS。',
  }),
  SMTPAccount: text('', 320, {
    section: 'mail',
    en: 'The name to sign in to the mail server with.',
    zh: '登录邮件服务器的账户名。',
  }),
  SMTPFrom: text('', 320, {
    section: 'mail',
    en: 'The address mails come from. Empty: the account.',
    zh: '发件邮箱地址，留空则使用账户名。',
  }),
  SMTPToken: secret({
    section: 'mail',
    en: 'The password, or an app password, of the account.',
    zh: '账户的密码或授权码。',
  }),
  WorkerUrl: address('', {
    section: 'mail',
    en: 'A helper through which webhooks are sent and images are fetched. Empty: this gateway does it itself.',
    zh: '代为发送 Webhook 和下载图片的服务，留空则由网关自行处理。',
  }),
  WorkerValidKey: secret({
    section: 'mail',
    en: 'With which this gateway identifies itself to the worker.',
    zh: '网关访问 Worker 所用的密钥。',
  }),
  PayAddress: address('', {
    section: 'payment',
    en: 'Address of the payment gateway. With merchant ID and key it opens online top-up.',
    zh: '支付网关的地址，与商户 ID 和密钥一起启用在线充值。',
  }),
  EpayId: text('', 100, {
    section: 'payment',
    en: 'Your merchant ID at the payment gateway.',
    zh: '您在支付网关的商户 ID。',
  }),
  EpayKey: secret({
    section: 'payment',
    en: 'Signs orders and proves payments; without it no payment is believed.',
    zh: '用于签名订单和验证支付；没有它任何支付都不会被承认。',
  }),
  CustomCallbackAddress: address('', {
    section: 'payment',
    en: 'Where the payment gateway reports payments, if not at the server address.',
    zh: '支付网关通知支付结果的地址，留空则使用服务器地址。',
  }),
  Price: decimal(
    7.3,
    { min: 0.0001, max: 1_000_000 },
    {
      section: 'payment',
      en: 'What one currency unit of quota costs, in the currency of the payment gateway.',
      zh: '每单位额度的价格，以支付网关的货币计。',
    },
  ),
  MinTopUp: integer(
    1,
    { min: 1, max: 1_000_000 },
    {
      section: 'payment',
      en: 'The smallest number of units that can be bought at once.',
      zh: '单次充值的最低数量。',
    },
  ),
  TopupGroupRatio: ratios(
    { default: 1, vip: 1, svip: 1 },
    {
      section: 'payment',
      columns: [columns.group, columns.ratio],
      en: 'A JSON object of groups to price factors: 0.8 gives a group 20 % off.',
      zh: '分组到价格倍率的 JSON 对象：0.8 表示该分组八折。',
    },
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
