import { callerFault, onEveryRoute, operatorFault, upstreamFault } from '../definition.ts'

/** Problems of sign-in providers and of the human check (captcha). */
export const signInProblems = {
  door_closed: callerFault(403, {
    en: 'Sign-in with {provider} is switched off',
    zh: '管理员未开启通过 {provider} 登录以及注册',
  }),
  oauth_state_refused: onEveryRoute('caller', 403, {
    en: 'This sign-in was not started in this browser, took too long, or was already used; start again',
    zh: '登录请求并非由此浏览器发起、已过期或已被使用，请重新发起',
  }),
  door_denied: callerFault(403, {
    en: 'The sign-in was cancelled or rejected at {provider}',
    zh: '{provider} 未授权此次登录：请求已被取消或拒绝',
  }),
  door_unreachable: upstreamFault(502, {
    en: '{provider} cannot be reached; try again later',
    zh: '无法连接至 {provider} 服务器，请稍后重试！',
  }),
  door_refused: callerFault(400, {
    en: '{provider} did not confirm this sign-in; try again, and ask the operator to check the settings if it keeps failing',
    zh: '{provider} 未确认此次登录，请重新发起；若仍失败，请联系管理员检查设置！',
  }),
  door_profile_unusable: upstreamFault(502, {
    en: '{provider} returned no user id; try again later',
    zh: '{provider} 返回值非法，用户字段为空，请稍后重试！',
  }),
  door_account_restricted: callerFault(403, {
    en: 'Your {provider} account is inactive, silenced, or below the trust level that this site requires',
    zh: '您的 {provider} 账户未激活、被禁言或信任等级不足',
  }),
  user_deactivated: callerFault(403, { en: 'This user was deactivated', zh: '用户已注销' }),
  identity_taken: callerFault(409, {
    en: 'This {provider} account is bound to another user',
    zh: '该 {provider} 账户已被其他用户绑定',
  }),
  identity_slot_filled: callerFault(409, {
    en: 'Your account is bound to another {provider} account; unbind that one first',
    zh: '您已绑定其他 {provider} 账户，请先解除绑定',
  }),
  identity_not_bound: callerFault(404, {
    en: 'This {provider} account is not bound to any user: sign in another way, then bind it on your personal page',
    zh: '该 {provider} 账户未绑定，请先以其他方式登录，再到个人设置中绑定',
  }),
  identity_slot_empty: callerFault(404, {
    en: 'Your account is not bound to {provider}',
    zh: '您尚未绑定 {provider} 账户',
  }),
  identity_last_way_in: callerFault(409, {
    en: 'Without {provider} you could no longer sign in: set a password or bind another account first',
    zh: '解除 {provider} 绑定后您将无法登录，请先设置密码或绑定其他账户',
  }),
  telegram_data_refused: callerFault(400, {
    en: 'The data from Telegram is invalid, too old or already used; start again',
    zh: '无效的请求：Telegram 数据无效、已过期或已被使用，请重试',
  }),
  oidc_discovery_failed: upstreamFault(502, {
    en: 'The OIDC configuration cannot be read; check the network and the well-known address',
    zh: '获取 OIDC 配置失败，请检查网络状况和 Well-Known URL 是否正确',
  }),
  oidc_issuer_wrong: operatorFault(502, {
    en: 'The document at the well-known address belongs to another issuer',
    zh: 'Well-Known 地址返回的文档属于其他签发者（issuer）',
  }),
  human_check_missing: callerFault(400, {
    en: 'The human check has not finished; wait a moment and try again',
    zh: '人机验证尚未完成，请稍候再试',
  }),
  human_check_refused: callerFault(403, {
    en: 'The human check failed; reload the page and try again',
    zh: 'Turnstile 校验失败，请刷新重试！',
  }),
  human_check_unavailable: upstreamFault(503, {
    en: 'The human check cannot be reached; try again later',
    zh: '无法连接至人机验证服务，请稍后重试！',
  }),
}
