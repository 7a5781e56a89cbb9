import { z } from 'zod'
import { columns, json, nestedRatios, ratios, textMap } from '../json-kinds.ts'
import { choice, integer, toggle } from '../kinds.ts'
import { section } from '../section.ts'

/** Every group in the list is checked and priced before a call, so its length is limited. */
const AUTO_GROUPS_MAX = 10
const OVERDRAFT_FACTOR_MAX = 1_000
const GROUPS = { default: 1, vip: 1, svip: 1 }

export const groupsSection = section({
  key: 'groups',
  title: { en: 'Groups and holds', zh: '分组与预扣' },
  purpose: {
    en: 'The groups, their prices, and how much is set aside before a call.',
    zh: '有哪些分组、各自的倍率，以及请求前预扣多少额度。',
  },
  settings: {
    GroupRatio: ratios(GROUPS, {
      label: { en: 'Group ratio', zh: '分组倍率' },
      help: {
        en: 'Group to price factor; a group exists when it is named here.',
        zh: '分组倍率；此处列出的分组才存在。',
      },
      columns: [columns.group, columns.ratio],
    }),
    UserUsableGroups: textMap(
      { default: '默认分组', vip: 'vip分组' },
      {
        label: { en: 'Groups to choose from', zh: '用户可选分组' },
        help: { en: 'Groups every user may choose, with a description.', zh: '用户可选分组及其说明。' },
        columns: [columns.group, columns.description],
      },
    ),
    GroupGroupRatio: nestedRatios({
      label: { en: 'Group ratio by user group', zh: '分组特殊倍率' },
      help: {
        en: "User's group to used group to price factor, instead of the group ratio.",
        zh: '用户分组到使用分组的倍率，优先于分组倍率。',
      },
    }),
    AutoGroups: json(z.array(z.string().trim().min(1).max(64)).max(AUTO_GROUPS_MAX), [], {
      label: { en: 'Order of group auto', zh: 'auto 分组顺序' },
      help: {
        en: 'Groups that a token of group auto tries, in this order; groups that its owner may not use are skipped. The group that serves a call sets its price.',
        zh: 'auto 分组的令牌按此顺序尝试的分组；令牌所有者无权使用的分组会被跳过，费用按实际提供服务的分组倍率计算。',
      },
      rows: { shape: 'names', columns: [columns.group] },
      allowed: {
        en: `a JSON list of up to ${AUTO_GROUPS_MAX} groups`,
        zh: `最多 ${AUTO_GROUPS_MAX} 个分组的 JSON 列表`,
      },
    }),
    'billing_setting.hold_mode': choice('metered', {
      choices: {
        metered: { en: 'Metered', zh: '按量' },
        strict: { en: 'Strict', zh: '严格' },
        lenient: { en: 'Lenient', zh: '宽松' },
      },
      label: { en: 'What is held', zh: '预扣方式' },
      help: {
        en: 'Metered: hold an estimate and end a stream the balance cannot pay. Strict: hold the largest price. Lenient: let a stream finish and book a debt. Accounts that have never paid are always strict, with calls made to fit.',
        zh: '按量：按估算预扣，余额不足时结束流；严格：按最高价预扣；宽松：允许流完成并记为欠款。从未付费的账户始终严格预扣，并按余额缩减调用。',
      },
    }),
    'billing_setting.strict_fits': toggle(false, {
      label: { en: 'Make calls fit the balance', zh: '按余额缩减调用' },
      help: {
        en: 'strict: a call that the balance cannot pay whole, but its input, is sent with a lower limit of output.',
        zh: 'strict：余额不足以支付最高价但足以支付输入时，降低输出上限后发送。',
      },
    }),
    'billing_setting.overdraft_factor': integer(2, {
      min: 1,
      max: OVERDRAFT_FACTOR_MAX,
      label: { en: 'Overdraft factor', zh: '并发透支倍数' },
      help: {
        en: 'How much the calls of one user in flight may cost beyond what is held for them, as a multiple of the balance that remains. Further calls are refused until one has ended. A call that is alone in flight gets a lower output limit instead. With 1, many calls at once leave no debt.',
        zh: '同一用户进行中的请求，最高可能超出预扣的费用总和不得超过剩余余额的该倍数，超出的请求须等待其中一个结束。单独进行的请求不会因此被拒绝，而是降低其输出上限。1 表示并发请求不会产生欠款。',
      },
    }),
  },
})
