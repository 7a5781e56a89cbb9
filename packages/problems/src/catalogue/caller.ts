import { callerFault, onEveryRoute } from '../definition.ts'

/**
 * Problems of relay routes: authentication and permissions of the caller. Codes follow the wire contract
 * where it defines them.
 */
export const callerProblems = {
  token_missing: onEveryRoute('caller', 401, { en: 'No API token was sent', zh: '未提供令牌' }),
  token_invalid: onEveryRoute('caller', 401, { en: 'Invalid API token', zh: '无效的令牌' }),
  token_exhausted: callerFault(401, {
    en: 'The quota of this token is used up TokenStatusExhausted[sk-{preview}]',
    zh: '该令牌额度已用尽 TokenStatusExhausted[sk-{preview}]',
  }),
  token_expired: callerFault(401, { en: 'This token has expired', zh: '该令牌已过期' }),
  token_disabled: onEveryRoute('caller', 401, { en: 'This token is not enabled', zh: '该令牌状态不可用' }),
  user_banned: onEveryRoute('caller', 403, { en: 'This user is banned', zh: '用户已被封禁' }),
  channel_choice_forbidden: callerFault(403, {
    en: 'Ordinary users cannot choose a channel',
    zh: '普通用户不支持指定渠道',
  }),
  channel_unknown: callerFault(400, { en: 'Invalid channel id', zh: '无效的渠道 Id' }),
  channel_disabled: callerFault(403, { en: 'This channel is disabled', zh: '该渠道已被禁用' }),
  channel_lacks_model: callerFault(400, {
    en: 'The chosen channel does not list model {model}',
    zh: '指定的渠道未配置模型 {model}',
  }),
  address_not_allowed: onEveryRoute('caller', 403, {
    en: 'Your address is not allowed for this token',
    zh: '您的 IP 不在令牌允许访问的列表中',
  }),
  token_group_disabled: callerFault(403, {
    en: 'The token\'s group "{group}" is not available to you',
    zh: '令牌分组 {group} 已被禁用',
  }),
  group_deprecated: callerFault(403, {
    en: 'Group "{group}" is no longer offered',
    zh: '分组 {group} 已被弃用',
  }),
  group_not_allowed: callerFault(403, { en: 'You may not use this group', zh: '无权访问该分组' }),
  model_not_allowed: callerFault(403, {
    en: 'This token may not use model {model}',
    zh: '该令牌无权访问模型 {model}',
  }),
  browser_extension_blocked: callerFault(403, {
    en: 'Calls from browser extensions are not allowed here',
    zh: '不允许浏览器扩展调用',
  }),
}
