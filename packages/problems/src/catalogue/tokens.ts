import { callerFault } from '../definition.ts'

/** Problems of the administration of tokens. */
export const tokenProblems = {
  token_ids_missing: callerFault(400, { en: 'Choose at least one token', zh: '请至少选择一个令牌' }),
  token_name_missing: callerFault(400, { en: 'Name: give the token a name', zh: '令牌名称不能为空' }),
  token_name_too_long: callerFault(400, {
    en: 'Name: at most {max} characters',
    zh: '令牌名称过长，最多 {max} 个字符',
  }),
  token_expiry_invalid: callerFault(400, {
    en: 'Expiry: a time in seconds, or -1 for never',
    zh: '过期时间无效：请填写秒级时间戳，或 -1 表示永不过期',
  }),
  token_expiry_passed: callerFault(400, {
    en: 'Expiry: this time has passed; choose a later one',
    zh: '过期时间已过，请选择将来的时间',
  }),
  token_quota_out_of_range: callerFault(400, {
    en: 'Quota: between 0 and {max}',
    zh: '令牌额度必须在 0 到 {max} 之间',
  }),
  token_quota_changed: callerFault(409, {
    en: 'Quota: it is now {actual}, not {expected}; reload the token before changing its quota',
    zh: '令牌剩余额度已变为 {actual}（打开时为 {expected}），请刷新后再修改额度',
  }),
  token_group_not_usable: callerFault(400, {
    en: 'Group: you cannot use group {group}',
    zh: '无权使用分组 {group}',
  }),
  token_address_invalid: callerFault(400, {
    en: 'Allowed addresses: "{line}" is neither an IP address nor a CIDR range',
    zh: '允许的 IP：“{line}”不是有效的 IP 地址或 CIDR 网段',
  }),
  token_addresses_too_many: callerFault(400, {
    en: 'Allowed addresses: at most {max} lines',
    zh: '允许的 IP 最多 {max} 行',
  }),
  token_models_missing: callerFault(400, {
    en: 'Models: choose at least one, or remove the limit',
    zh: '请至少选择一个模型，或关闭模型限制',
  }),
  token_group_order_missing: callerFault(400, {
    en: 'Groups: list the groups to try in order; this site has no default order',
    zh: '请填写要依次尝试的分组；本站未设置默认顺序',
  }),
  token_key_not_kept: callerFault(409, {
    en: 'This key came from another system as a hash: nobody can show it again. It keeps working; create a new token if you lost it',
    zh: '该密钥由其他系统以哈希形式迁入，无法再次显示，但仍可使用；如已遗失，请创建新令牌',
  }),
  token_group_orders_differ: callerFault(400, {
    en: 'Groups: group_order and auto_groups name different groups; send one of them',
    zh: 'group_order 与 auto_groups 不一致，请只发送其中一个',
  }),
  token_groups_too_many: callerFault(400, {
    en: 'Groups: at most {max} to try',
    zh: '最多可依次尝试 {max} 个分组',
  }),
  token_budget_missing: callerFault(400, {
    en: 'Budget: enter the amount per period',
    zh: '请填写周期预算的额度',
  }),
  token_count_reached: callerFault(400, {
    en: 'You have {max} tokens, which is the maximum',
    zh: '令牌数量已达上限 {max}',
  }),
  token_status_unknown: callerFault(400, {
    en: 'Status: 1 (enabled) or 2 (disabled)',
    zh: '令牌状态只能为 1（启用）或 2（禁用）',
  }),
  token_enable_expired: callerFault(400, {
    en: 'This token has expired: change its expiry first, or let it never expire',
    zh: '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期',
  }),
  token_enable_exhausted: callerFault(400, {
    en: 'This token is used up: change its quota first, or make it unlimited',
    zh: '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度',
  }),
}
