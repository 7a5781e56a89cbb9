import { callerFault, gatewayFault, operatorFault } from '../definition.ts'

/** Problems of redemption codes and quota purchases. */
export const tradeProblems = {
  redemption_name_length: callerFault(400, {
    en: 'Name: 1 to {max} characters',
    zh: '兑换码名称长度必须在1-{max}之间',
  }),
  redemption_name_missing: callerFault(400, { en: 'Name: enter the name of the codes', zh: '名称不能为空' }),
  redemption_quota_out_of_range: callerFault(400, {
    en: 'Quota: between 1 and {max}',
    zh: '额度必须在 1 到 {max} 之间',
  }),
  redemption_dates_reversed: callerFault(400, {
    en: 'Dates: the start must be before the end',
    zh: '生效时间必须早于过期时间',
  }),
  redemption_already_over: callerFault(400, {
    en: 'Dates: the end has passed; choose a later one',
    zh: '过期时间已过，请选择将来的时间',
  }),
  redemption_date_invalid: callerFault(400, {
    en: 'Dates: a time in seconds, or 0 for none',
    zh: '生效和过期时间须为秒级时间戳，0 表示不限',
  }),
  redemption_ends_differ: callerFault(400, {
    en: 'Valid until: valid_until and expired_time name different ends; send one of them',
    zh: 'valid_until 与 expired_time 不一致，请只发送其中一个',
  }),
  redemption_max_uses_invalid: callerFault(400, {
    en: 'Uses: at least 1, or -1 for any number',
    zh: '最大使用次数至少为 1，或 -1 表示不限',
  }),
  redemption_key_too_long: callerFault(400, {
    en: 'Code: at most {max} characters',
    zh: '兑换码内容最多 {max} 个字符',
  }),
  redemption_key_taken: callerFault(409, {
    en: 'Code: it already exists, or existed before it was deleted',
    zh: '兑换码内容已存在',
  }),
  redemption_count_missing: callerFault(400, { en: 'Count: at least 1', zh: '兑换码个数必须大于0' }),
  redemption_count_exceeded: callerFault(400, {
    en: 'Count: at most {max} at once',
    zh: '一次兑换码批量生成的个数不能大于 {max}',
  }),
  redemption_ids_missing: callerFault(400, { en: 'Choose at least one code', zh: 'ID列表不能为空' }),
  redemption_status_unknown: callerFault(400, {
    en: 'Status: 1 (unused) or 2 (disabled)',
    zh: '兑换码状态只能为 1（未使用）或 2（禁用）',
  }),
  redemption_used_stays: callerFault(409, {
    en: 'This code has been redeemed and cannot be changed',
    zh: '兑换码已被使用，不能再修改',
  }),
  redemption_only_unused: callerFault(409, {
    en: 'Only an unused code can be changed; enable this one first',
    zh: '只有未使用的兑换码可以编辑，请先启用该兑换码',
  }),
  redemption_changed: callerFault(409, {
    en: 'This code has been changed or redeemed; reload it',
    zh: '兑换码已被他人修改或使用，请刷新后重试',
  }),
  redemption_key_missing: callerFault(400, { en: 'Enter a code', zh: '未提供兑换码' }),
  redemption_unknown: callerFault(400, { en: 'Not redeemed: no such code', zh: '兑换失败，无效的兑换码' }),
  redemption_own: callerFault(403, {
    en: 'Not redeemed: administrators cannot redeem codes that they created',
    zh: '兑换失败，管理员不能兑换自己创建的兑换码',
  }),
  redemption_too_early: callerFault(400, {
    en: 'Not redeemed: the code is not valid yet',
    zh: '兑换失败，兑换码尚未生效',
  }),
  redemption_expired: callerFault(400, {
    en: 'Not redeemed: the code has expired',
    zh: '兑换失败，兑换码已过期',
  }),
  redemption_used: callerFault(400, {
    en: 'Not redeemed: the code has been used',
    zh: '兑换失败，该兑换码已被使用',
  }),
  redemption_disabled: callerFault(400, {
    en: 'Not redeemed: the code has been disabled',
    zh: '兑换失败，该兑换码已被禁用',
  }),
  redemption_gift_gone: callerFault(400, {
    en: 'Not redeemed: this gift code has reached its limit',
    zh: '兑换失败，该礼品码已达到最大使用次数',
  }),
  redemption_gift_had: callerFault(400, {
    en: 'Not redeemed: you have used this gift code already',
    zh: '兑换失败，您已经使用过这个礼品码',
  }),

  top_up_not_waiting: callerFault(409, {
    en: 'This order is no longer waiting for payment',
    zh: '该订单已不在待支付状态',
  }),
  top_up_not_configured: operatorFault(400, {
    en: 'Online top-up is not set up on this site',
    zh: '当前管理员未配置支付信息',
  }),
  top_up_below_minimum: callerFault(400, { en: 'Amount: at least {min}', zh: '充值数量不能小于 {min}' }),
  top_up_too_small: callerFault(400, { en: 'Amount: the price would be below 0.01', zh: '充值金额过低' }),
  top_up_group_unknown: gatewayFault(400, { en: 'Your group could not be read', zh: '获取用户分组失败' }),
  top_up_too_many_pending: callerFault(429, {
    en: 'You have {max} unpaid orders: pay one of them, or wait a day until they close',
    zh: '已有 {max} 个待支付订单，请先支付，或等待一天后自动关闭',
  }),
}
