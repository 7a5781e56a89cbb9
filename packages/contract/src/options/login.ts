import { address, integer, parts, secret, text, toggle } from './kinds.ts'

const DOMAINS = 'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com'
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

/** Who may sign in and register, and through whom. */
export const loginOptions = {
  PasswordLoginEnabled: toggle(true, {
    section: 'login',
    en: 'Sign-in with a password.',
    zh: '允许通过密码登录。',
  }),
  PasswordRegisterEnabled: toggle(true, {
    section: 'login',
    en: 'Registration with a password.',
    zh: '允许通过密码注册。',
  }),
  RegisterEnabled: toggle(true, {
    section: 'login',
    en: 'New accounts may be created.',
    zh: '允许新用户注册。',
  }),
  EmailVerificationEnabled: toggle(false, {
    section: 'login',
    en: 'Registration needs a code sent by mail.',
    zh: '注册时需要邮箱验证码。',
    needs: ['SMTPServer'],
  }),
  EmailDomainRestrictionEnabled: toggle(false, {
    section: 'login',
    en: 'Only mail domains of the list may register.',
    zh: '仅允许白名单中的邮箱域名注册。',
    needs: ['EmailDomainWhitelist'],
  }),
  EmailAliasRestrictionEnabled: toggle(false, {
    section: 'login',
    en: 'Refuses addresses with + or . before the @.',
    zh: '拒绝 @ 之前包含 + 或 . 的邮箱地址。',
  }),
  EmailDomainWhitelist: parts('list', DOMAINS.split(','), {
    section: 'login',
    fold: true,
    each: DOMAIN,
    en: 'Mail domains that may register.',
    zh: '允许注册的邮箱域名。',
  }),
  TurnstileCheckEnabled: toggle(false, {
    section: 'login',
    en: 'Human check at sign-in and registration.',
    zh: '登录和注册时启用人机验证。',
    needs: ['TurnstileSiteKey', 'TurnstileSecretKey'],
  }),
  TurnstileSiteKey: text('', 200, { section: 'login', en: 'Public Turnstile key.', zh: 'Turnstile 公钥。' }),
  TurnstileSecretKey: secret({ section: 'login', en: 'Secret Turnstile key.', zh: 'Turnstile 私钥。' }),
  GitHubOAuthEnabled: toggle(false, {
    section: 'login',
    en: 'Sign-in with GitHub.',
    zh: '允许通过 GitHub 登录。',
    needs: ['GitHubClientId', 'GitHubClientSecret'],
  }),
  GitHubClientId: text('', 200, { section: 'login', en: 'GitHub client id.', zh: 'GitHub Client ID。' }),
  GitHubClientSecret: secret({ section: 'login', en: 'GitHub client secret.', zh: 'GitHub Client Secret。' }),
  LinuxDOOAuthEnabled: toggle(false, {
    section: 'login',
    en: 'Sign-in with Linux DO.',
    zh: '允许通过 Linux DO 登录。',
    needs: ['LinuxDOClientId', 'LinuxDOClientSecret'],
  }),
  LinuxDOClientId: text('', 200, { section: 'login', en: 'Linux DO client id.', zh: 'Linux DO Client ID。' }),
  LinuxDOClientSecret: secret({
    section: 'login',
    en: 'Linux DO client secret.',
    zh: 'Linux DO Client Secret。',
  }),
  LinuxDOMinimumTrustLevel: integer(
    0,
    { min: 0, max: 4 },
    {
      section: 'login',
      en: 'Lowest Linux DO trust level that may sign in.',
      zh: '允许登录的 Linux DO 最低信任等级。',
    },
  ),
  WeChatAuthEnabled: toggle(false, {
    section: 'login',
    en: 'Sign-in with WeChat.',
    zh: '允许通过微信登录。',
    needs: ['WeChatServerAddress', 'WeChatServerToken'],
  }),
  WeChatServerAddress: address('', {
    section: 'login',
    en: 'Address of the WeChat helper.',
    zh: '微信服务器地址。',
  }),
  WeChatServerToken: secret({ section: 'login', en: 'Token of the WeChat helper.', zh: '微信服务器令牌。' }),
  WeChatAccountQRCodeImageURL: text('', 2048, {
    section: 'login',
    en: 'QR code image of the WeChat account.',
    zh: '微信公众号二维码图片地址。',
  }),
  TelegramOAuthEnabled: toggle(false, {
    section: 'login',
    en: 'Sign-in with Telegram.',
    zh: '允许通过 Telegram 登录。',
    needs: ['TelegramBotToken', 'TelegramBotName'],
  }),
  TelegramBotToken: secret({ section: 'login', en: 'Telegram bot token.', zh: 'Telegram Bot Token。' }),
  TelegramBotName: text('', 100, { section: 'login', en: 'Telegram bot name.', zh: 'Telegram Bot 名称。' }),
  'oidc.enabled': toggle(false, {
    section: 'login',
    en: 'Sign-in with an OpenID Connect provider.',
    zh: '允许通过 OIDC 登录。',
    needs: ['oidc.client_id', 'oidc.client_secret', 'oidc.well_known'],
  }),
  'oidc.client_id': text('', 200, { section: 'login', en: 'OIDC client id.', zh: 'OIDC Client ID。' }),
  'oidc.client_secret': secret({ section: 'login', en: 'OIDC client secret.', zh: 'OIDC Client Secret。' }),
  'oidc.well_known': address('', {
    section: 'login',
    en: 'OIDC discovery address.',
    zh: 'OIDC Well-Known 地址。',
  }),
  'oidc.authorization_endpoint': address('', {
    section: 'login',
    en: 'OIDC authorization endpoint.',
    zh: 'OIDC 授权端点。',
  }),
  'oidc.token_endpoint': address('', { section: 'login', en: 'OIDC token endpoint.', zh: 'OIDC 令牌端点。' }),
  'oidc.user_info_endpoint': address('', {
    section: 'login',
    en: 'OIDC user information endpoint.',
    zh: 'OIDC 用户信息端点。',
  }),
}
