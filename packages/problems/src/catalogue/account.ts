import { callerFault, operatorFault } from '../definition.ts'

/** Problems of the own account: e-mail, password, rewards and notifications. */
export const accountProblems = {
  email_invalid: callerFault(400, { en: 'The e-mail address is not valid', zh: '无效的邮箱地址' }),
  email_domain_refused: callerFault(400, {
    en: 'Addresses at this domain are not accepted here',
    zh: '管理员已启用邮箱域名白名单，您的邮箱域名不在允许范围内',
  }),
  email_alias_refused: callerFault(400, {
    en: 'Addresses with + or . before the @ are not accepted here',
    zh: '管理员已启用邮箱地址别名限制，您的邮箱地址由于包含特殊符号而被拒绝。',
  }),
  email_needed: callerFault(400, {
    en: 'Enter your e-mail address and the code that was sent to it',
    zh: '管理员开启了邮箱验证，请输入邮箱地址和验证码',
  }),
  email_taken: callerFault(409, {
    en: 'The e-mail address already belongs to an account',
    zh: '邮箱地址已被占用',
  }),
  email_not_bound: callerFault(400, {
    en: 'No e-mail address is bound to this account',
    zh: '当前账户未绑定邮箱',
  }),
  mail_not_configured: operatorFault(503, {
    en: 'This site cannot send mail yet: its mail server is not set',
    zh: '管理员尚未配置邮件服务器，无法发送邮件',
  }),
  mail_unavailable: operatorFault(503, {
    en: 'Mail cannot be sent now. Please try again later.',
    zh: '暂时无法发送邮件，请稍后再试',
  }),
  server_address_missing: operatorFault(503, {
    en: 'This site cannot send links yet: its address is not set',
    zh: '管理员尚未填写服务器地址，无法发送链接',
  }),
  mail_failed: operatorFault(502, { en: 'The mail was not sent: {reason}', zh: '邮件发送失败：{reason}' }),
  reset_link_refused: callerFault(400, {
    en: 'The link is invalid, already used or expired',
    zh: '重置链接非法或已过期',
  }),
  undo_link_refused: callerFault(400, {
    en: 'The link is invalid, already used or expired',
    zh: '链接无效、已使用或已过期',
  }),
  password_wrong: callerFault(403, { en: 'The password is wrong', zh: '密码错误' }),
  password_none: callerFault(400, {
    en: 'This account has no password: sign in again with your sign-in provider',
    zh: '当前账户未设置密码，请使用原登录方式重新登录',
  }),
  account_name_mismatch: callerFault(400, {
    en: 'Enter your account name to confirm the deletion',
    zh: '请输入你的账户名以确认删除',
  }),
  session_unknown: callerFault(404, { en: 'There is no such session', zh: '会话不存在或已结束' }),
  check_in_closed: callerFault(403, { en: 'Check-in is switched off', zh: '签到功能未启用' }),
  check_in_misconfigured: operatorFault(503, {
    en: 'The check-in reward is not set',
    zh: '签到额度配置错误',
  }),
  check_in_done: callerFault(409, { en: 'You have already checked in today', zh: '你今天已经签到过了' }),
  transfer_too_small: callerFault(400, {
    en: 'The smallest transfer is {min}',
    zh: '划转失败 转移额度最小为{min}！',
  }),
  transfer_refused: callerFault(400, {
    en: 'Your invitation earnings are only {remaining}',
    zh: '划转失败 邀请额度不足！剩余 {remaining}',
  }),
  operation_key_used: callerFault(409, {
    en: 'This operation key was used for something else',
    zh: '该操作标识已用于其他操作',
  }),
  notify_type_invalid: callerFault(400, {
    en: 'Notifications are sent by email or webhook',
    zh: '无效的预警类型',
  }),
  notify_threshold_invalid: callerFault(400, {
    en: 'Threshold: above 0 and at most {max}',
    zh: '预警阈值必须大于0，且不超过 {max}',
  }),
  webhook_url_missing: callerFault(400, { en: 'Fill in the webhook address', zh: 'Webhook地址不能为空' }),
  webhook_url_invalid: callerFault(400, {
    en: 'Webhook address: an https:// address on the public internet, without user name or password. The super admin may use http:// for hosts in EGRESS_ALLOW',
    zh: '无效的Webhook地址：必须是公网可访问的 https:// 地址，且不含用户名和密码。超级管理员可对 EGRESS_ALLOW 中的主机使用 http://',
  }),
  webhook_secret_invalid: callerFault(400, {
    en: 'Webhook secret: at most {max} visible characters',
    zh: 'Webhook密钥最多 {max} 个可见字符',
  }),
  notification_address_missing: callerFault(400, {
    en: 'There is no address for notifications: bind an e-mail address or enter one',
    zh: '没有可用的通知地址，请先绑定邮箱或填写通知邮箱',
  }),
}
