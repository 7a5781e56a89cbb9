import { decimal, integer, quota, toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const quotaSection = section({
  key: 'quota',
  title: { en: 'Quota', zh: '额度设置' },
  purpose: { en: 'What is given, held and warned of.', zh: '赠送、预扣与提醒的额度。' },
  settings: {
    QuotaForNewUser: quota(0, {
      label: { en: 'Quota of a new user', zh: '新用户初始额度' },
      help: {
        en: 'Added to the balance of every new account when it is created.',
        zh: '每个新账户创建时获得的额度。',
      },
    }),
    PreConsumedQuota: integer(500, {
      min: 0,
      max: 100_000_000,
      label: { en: 'Assumed tokens of a call', zh: '请求预扣额度' },
      help: {
        en: 'Tokens assumed for the hold when a request names no maximum.',
        zh: '请求未指定最大 token 数时预扣的数量。',
      },
    }),
    QuotaForInviter: quota(0, {
      label: { en: 'Reward of the inviter', zh: '邀请新用户奖励额度' },
      help: {
        en: 'Added to the invitation earnings of whoever invited a new user.',
        zh: '被邀请的用户注册后，邀请人的邀请收益增加的额度。',
      },
    }),
    QuotaForInvitee: quota(0, {
      label: { en: 'Reward of the invited', zh: '新用户使用邀请码奖励额度' },
      help: {
        en: 'Added for a new user who was invited, on top of the quota of a new user.',
        zh: '通过邀请注册的用户，在新用户额度之外另外获得的额度。',
      },
    }),
    QuotaRemindThreshold: quota(1000, {
      label: { en: 'Low-balance warning', zh: '额度提醒阈值' },
      help: {
        en: 'A user whose balance falls below it is warned, unless they have set an amount of their own.',
        zh: '用户余额低于此值时收到提醒；用户自己设置了阈值时以用户的为准。',
      },
    }),
    RebateEnabled: toggle(false, {
      label: { en: 'Rebate', zh: '启用邀请返利' },
      help: {
        en: 'Whenever an invited user tops up, a share goes to the balance of whoever invited them.',
        zh: '被邀请的用户每次充值时，按比例增加邀请人的余额。',
      },
    }),
    RebatePercentage: decimal(0, {
      min: 0,
      max: 100,
      label: { en: 'Rebate (percent)', zh: '返利百分比' },
      help: {
        en: 'The inviter’s share of each top-up, from 0 to 100. It counts only while the rebate is on.',
        zh: '邀请人从每次充值中获得的比例（0 到 100），启用邀请返利时生效。',
      },
    }),
  },
})
