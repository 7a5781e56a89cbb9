import { defineMessages } from '../../../shared/i18n/messages.ts'

const en = {
  checkIn: 'Reward of {{amount}}',
  quotaSet: 'Quota changed by an administrator from {{before}} to {{after}}',
  redeemed: '{{amount}} by redemption code {{id}}',
  gift: '{{amount}} by gift code {{id}}',
  bought: '{{amount}} bought online for {{money}}',
  topUpShare: '{{amount}} from a top-up of somebody you invited',
  inviterShare: '{{amount}} for the one who invited you',
  welcome: '{{amount}} as a welcome',
  invited: '{{amount}} for coming by an invitation',
  inviting: '{{amount}} for an invitation',
  drawingFailed: 'Drawing {{id}} failed, {{amount}} given back',
  taskFailed: 'Task {{id}} failed, {{amount}} given back',
  settledForLess: 'Task {{id}} took {{tokens}} tokens, {{amount}} given back',
  currency: '{{sign}}${{digits}}',
  units: '{{digits}} units',
}

/** As the gateways of this family write them into their logs: the Chinese texts are those of the database, letter by letter. */
const zh: typeof en = {
  checkIn: '签到奖励 {{amount}}',
  quotaSet: '管理员将用户额度从 {{before}}修改为 {{after}}',
  redeemed: '通过兑换码充值 {{amount}}，兑换码ID {{id}}',
  gift: '通过礼品码充值 {{amount}}，兑换码ID {{id}}',
  bought: '使用在线充值成功，充值金额: {{amount}}，支付金额：{{money}}',
  topUpShare: '邀请用户充值返利 {{amount}}',
  inviterShare: '您的邀请人获得返利 {{amount}}',
  welcome: '新用户注册赠送 {{amount}}',
  invited: '使用邀请码赠送 {{amount}}',
  inviting: '邀请用户赠送 {{amount}}',
  drawingFailed: '构图失败 {{id}}，补偿 {{amount}}',
  taskFailed: '异步任务执行失败 {{id}}，补偿 {{amount}}',
  settledForLess: '异步任务 {{id}} 按实际 {{tokens}} tokens 结算，退还 {{amount}}',
  currency: '{{sign}}＄{{digits}} 额度',
  units: '{{digits}} 点额度',
}

export const sentenceMessages = defineMessages('usage-sentences', { en, zh })
