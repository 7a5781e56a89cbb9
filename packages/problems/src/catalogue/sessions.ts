import { callerFault, onEveryRoute } from '../definition.ts'

/** Problems of the session or access token of an admin request. */
export const sessionProblems = {
  not_signed_in: onEveryRoute('caller', 401, {
    en: 'Not signed in, and no access token was sent',
    zh: '无权进行此操作，未登录且未提供 access token',
  }),
  access_token_invalid: onEveryRoute('caller', 401, {
    en: 'The access token is not valid',
    zh: '无权进行此操作，access token 无效',
  }),
  session_required: onEveryRoute('caller', 400, {
    en: 'This route needs a session, not an access token',
    zh: '暂不支持使用 access token',
  }),
  user_header_missing: onEveryRoute('caller', 401, {
    en: 'The header Veloera-User (or New-Api-User, Tollgate-User) with your user id is missing',
    zh: '无权进行此操作，未提供 Veloera-User（或 New-Api-User、Tollgate-User）',
  }),
  user_header_invalid: onEveryRoute('caller', 401, {
    en: 'The header Veloera-User (or New-Api-User, Tollgate-User) is not a number',
    zh: '无权进行此操作，Veloera-User（或 New-Api-User、Tollgate-User）格式错误',
  }),
  user_header_mismatch: onEveryRoute('caller', 401, {
    en: 'The header Veloera-User (or New-Api-User, Tollgate-User) does not match the signed-in user',
    zh: '无权进行此操作，Veloera-User（或 New-Api-User、Tollgate-User）与登录用户不匹配',
  }),
  user_disabled: onEveryRoute('caller', 403, { en: 'This user is disabled', zh: '用户已被封禁' }),
  default_password: onEveryRoute('caller', 403, {
    en: 'This is the default password: choose another one first',
    zh: '您正在使用默认密码，请先修改密码',
  }),
  role_too_low: onEveryRoute('caller', 403, {
    en: 'Your role does not permit this',
    zh: '无权进行此操作，权限不足',
  }),
  cookie_repeated: onEveryRoute('caller', 400, {
    en: 'The browser sent the cookie “{name}” more than once, so another site may have set one. Delete the cookies of this site and of its parent domain, then sign in again',
    zh: '浏览器发送了多个名为“{name}”的 Cookie，其中可能有其他站点设置的。请清除本站及其上级域名的 Cookie 后重新登录',
  }),
  cross_site_refused: onEveryRoute('caller', 403, {
    en: 'A change with a session cookie must come from the console: the Origin header is missing or names another site. Scripts use an access token instead',
    zh: '使用会话 Cookie 的操作须来自本站控制台：请求缺少 Origin 或来自其他站点。脚本请改用访问令牌',
  }),
  page_host_differs: onEveryRoute('caller', 403, {
    en: 'The page is on {page}, but the gateway was asked as {host}. A proxy in front must pass the Host header on, or be listed in TRUSTED_PROXIES',
    zh: '页面位于 {page}，但网关收到的主机名是 {host}。前置代理须原样传递 Host 请求头，或将其列入 TRUSTED_PROXIES',
  }),
  password_guesses_used_up: onEveryRoute('caller', 429, {
    en: 'Too many wrong passwords for this account today. Sign in from a network that you have used before, or try again in {minutes} minutes',
    zh: '今天该账号的错误密码次数过多，请在以前登录过的网络中登录，或在 {minutes} 分钟后再试',
  }),
  password_guesses_used_up_reset: onEveryRoute('caller', 429, {
    en: 'Too many wrong passwords for this account today. Set a new password through “Forgot password”, sign in from a network that you have used before, or try again in {minutes} minutes',
    zh: '今天该账号的错误密码次数过多，请通过“忘记密码”重设密码，或在以前登录过的网络中登录，也可在 {minutes} 分钟后再试',
  }),
  recent_sign_in_needed: callerFault(403, {
    en: 'Sign in again first: this needs a sign-in within the last 12 hours',
    zh: '请先重新登录：此操作需要 12 小时内的登录',
  }),
  fresh_sign_in_needed: callerFault(403, {
    en: 'Sign in again, then change it within 15 minutes',
    zh: '请重新登录，然后在 15 分钟内修改',
  }),
  secret_needed_again: callerFault(403, {
    en: 'Enter the key again: only the super admin may change this without it',
    zh: '请重新填写密钥：只有超级管理员可以不填写密钥进行此修改',
  }),
}
