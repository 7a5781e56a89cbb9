import type { LogEventName } from './event.ts'

export type Language = 'en' | 'zh'

/** `{name}` is replaced by the event's member of that name. */
export interface EventText {
  readonly en: string
  /** Also used for clients of the old API, unless `old` is set. */
  readonly zh: string
  readonly old?: string
}

/** The two charge events are composed of clauses instead. */
export type SentenceName = Exclude<LogEventName, 'call_charged' | 'task_charged'>

/**
 * The texts of the usage log, one per event. Scripts written for new-api compare the Chinese ones character
 * by character.
 */
export const sentences = {
  task_refunded: {
    en: 'Task {task_id} failed, {quota} refunded',
    zh: '任务 {task_id} 失败，已退还 {quota}',
    old: '异步任务执行失败 {task_id}，补偿 {quota}',
  },
  task_settled_for_less: {
    en: 'Task {task_id} took {tokens} tokens, {quota} refunded',
    zh: '任务 {task_id} 实际使用 {tokens} token，已退还 {quota}',
    old: '异步任务 {task_id} 按实际 {tokens} tokens 结算，退还 {quota}',
  },
  answer_empty: {
    en: 'The upstream ended its answer without any content',
    zh: '上游没有返回任何内容就结束了应答',
    old: 'the answer ended before anything was said',
  },
  calls_refused: { en: 'Refused {refused} times: {reason}', zh: '拒绝 {refused} 次：{reason}' },
  top_up: {
    en: '{quota} bought online for {money}',
    zh: '使用在线充值成功，充值金额: {quota}，支付金额：{money}',
  },
  redeem: { en: '{quota} from redemption code {code_id}', zh: '通过兑换码充值 {quota}，兑换码ID {code_id}' },
  redeem_gift: { en: '{quota} from gift code {code_id}', zh: '通过礼品码充值 {quota}，兑换码ID {code_id}' },
  check_in: { en: 'Check-in reward of {quota}', zh: '签到奖励 {quota}' },
  gift_new_user: { en: '{quota} as a welcome gift', zh: '新用户注册赠送 {quota}' },
  gift_invitee: { en: '{quota} for signing up with an invitation', zh: '使用邀请码赠送 {quota}' },
  gift_inviter: { en: '{quota} for inviting a user', zh: '邀请用户赠送 {quota}' },
  rebate: { en: '{quota} from a top-up by someone you invited', zh: '邀请用户充值返利 {quota}' },
  rebate_of_inviter: { en: '{quota} for the person who invited you', zh: '您的邀请人获得返利 {quota}' },
  quota_changed: {
    en: 'Quota changed by an administrator from {before} to {after}',
    zh: '管理员将用户额度从 {before} 修改为 {after}',
    old: '管理员将用户额度从 {before}修改为 {after}',
  },
  sign_in: { en: 'Signed in ({way})', zh: '登录成功（{way}）' },
} as const satisfies Readonly<Record<SentenceName, EventText>>

/** Alternative sentences of an event, chosen by one of its members. */
export const variants = {
  /** For drawings. */
  drawing_refunded: {
    en: 'Drawing {task_id} failed, {quota} refunded',
    zh: '绘图 {task_id} 失败，已退还 {quota}',
    old: '构图失败 {task_id}，补偿 {quota}',
  },
  /** For a sign-in whose method is unknown. */
  signed_in: { en: 'Signed in', zh: '登录成功' },
} as const satisfies Readonly<Record<string, EventText>>

/** The clauses of a charge in their order. */
export const clauses = {
  model_ratio: { en: 'model ratio {ratio}', zh: '模型倍率 {ratio}' },
  completion_ratio: { en: 'completion ratio {ratio}', zh: '补全倍率 {ratio}' },
  model_price: { en: 'model price {price}', zh: '模型价格 {price}' },
  fixed_price: { en: 'fixed model price {price}', zh: '模型固定价格 {price}' },
  group_ratio: { en: 'group ratio {ratio}', zh: '分组倍率 {ratio}' },
  picture: { en: 'size {size}, quality {quality}', zh: '大小 {size}, 品质 {quality}' },
  action: { en: 'action {action}', zh: '操作 {action}' },
  drawing: { en: 'ID {id}', zh: 'ID {id}' },
  seconds: { en: '{seconds} seconds', zh: '时长 {seconds} 秒' },
} as const satisfies Readonly<Record<string, EventText>>

export const betweenClauses = { en: ', ', zh: '，' } as const satisfies EventText
export const password = { en: 'password', zh: '密码' } as const satisfies EventText

/** The forms in which new-api stores an amount in a sentence, with and without currency. */
export const oldAmounts = {
  currency: { en: '{sign}${digits}', zh: '{sign}＄{digits} 额度' },
  units: { en: '{digits} units', zh: '{digits} 点额度' },
} as const satisfies Readonly<Record<string, EventText>>

export function namesOf<Name extends string>(texts: Readonly<Record<Name, EventText>>): readonly Name[] {
  return Object.keys(texts).filter((name): name is Name => Object.hasOwn(texts, name))
}
