import { address, integer, parts, picture, secret, text, toggle } from './kinds.ts'

const DOMAINS = 'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com'
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

/** Who may sign in and register, and through whom. */
export const loginOptions = {
  PasswordLoginEnabled: toggle(true, {
    section: 'login',
    en: 'People may sign in with name and password. Off, only the doors below are open.',
    zh: '允许使用用户名和密码登录；关闭后只能使用其他登录方式。',
  }),
  PasswordRegisterEnabled: toggle(true, {
    section: 'login',
    en: 'People may register with name and password. Off, new accounts come from the other doors only.',
    zh: '允许使用用户名和密码注册；关闭后只能通过第三方账户注册。',
  }),
  RegisterEnabled: toggle(true, {
    section: 'login',
    en: 'New accounts may be created at all, by any door.',
    zh: '是否允许以任何方式创建新账户。',
  }),
  EmailVerificationEnabled: toggle(false, {
    section: 'login',
    en: 'Registration needs a code that is sent to the address. Set up mail first.',
    zh: '注册时需要填写发送到邮箱的验证码，请先配置 SMTP。',
    needs: ['SMTPServer'],
  }),
  EmailDomainRestrictionEnabled: toggle(false, {
    section: 'login',
    en: 'Only addresses in the domains below may register.',
    zh: '仅允许以下域名的邮箱注册。',
    needs: ['EmailDomainWhitelist'],
  }),
  EmailAliasRestrictionEnabled: toggle(false, {
    section: 'login',
    en: 'Refuses addresses with + or . before the @, by which one person could have many.',
    zh: '拒绝 @ 之前包含 + 或 . 的邮箱地址，以防一人注册多个账户。',
  }),
  EmailDomainWhitelist: parts('list', DOMAINS.split(','), {
    section: 'login',
    fold: true,
    each: DOMAIN,
    en: 'Mail domains whose addresses may register.',
    zh: '允许注册的邮箱域名。',
  }),
  TurnstileCheckEnabled: toggle(false, {
    section: 'login',
    en: 'Asks visitors to prove they are human at sign-in, registration and when a mail is requested.',
    zh: '在登录、注册和请求邮件时要求访问者通过人机验证。',
    needs: ['TurnstileSiteKey', 'TurnstileSecretKey'],
  }),
  TurnstileSiteKey: text('', 200, {
    section: 'login',
    en: 'The public key of the widget, from the Cloudflare dashboard.',
    zh: '组件的公开密钥，来自 Cloudflare 控制台。',
  }),
  TurnstileSecretKey: secret({
    section: 'login',
    en: 'The secret key with which answers of the widget are checked.',
    zh: '用于校验组件结果的私密密钥。',
  }),
  GitHubOAuthEnabled: toggle(false, {
    section: 'login',
    en: 'Shows the GitHub button at sign-in.',
    zh: '在登录页显示 GitHub 按钮。',
    needs: ['GitHubClientId', 'GitHubClientSecret'],
  }),
  GitHubClientId: text('', 200, {
    section: 'login',
    en: 'Of the OAuth app you have registered at GitHub.',
    zh: '您在 GitHub 注册的 OAuth 应用的 ID。',
  }),
  GitHubClientSecret: secret({
    section: 'login',
    en: 'Of the same OAuth app; GitHub shows it once.',
    zh: '同一 OAuth 应用的密钥，GitHub 只显示一次。',
  }),
  LinuxDOOAuthEnabled: toggle(false, {
    section: 'login',
    en: 'Shows the Linux DO button at sign-in.',
    zh: '在登录页显示 Linux DO 按钮。',
    needs: ['LinuxDOClientId', 'LinuxDOClientSecret'],
  }),
  LinuxDOClientId: text('', 200, {
    section: 'login',
    en: 'Of the application you have registered at Linux DO Connect.',
    zh: '您在 Linux DO Connect 注册的应用的 ID。',
  }),
  LinuxDOClientSecret: secret({
    section: 'login',
    en: 'Of the same application.',
    zh: '同一应用的密钥。',
  }),
  LinuxDOMinimumTrustLevel: integer(
    0,
    { min: 0, max: 4 },
    {
      section: 'login',
      en: 'The lowest trust level at Linux DO that may sign in; 0 lets everybody in.',
      zh: '允许登录的最低信任等级，0 表示不限制。',
    },
  ),
  WeChatAuthEnabled: toggle(false, {
    section: 'login',
    en: 'Shows the WeChat button at sign-in: a QR code, and a code valid for three minutes.',
    zh: '在登录页显示微信按钮：扫描二维码后输入三分钟内有效的验证码。',
    needs: ['WeChatServerAddress', 'WeChatServerToken'],
  }),
  WeChatServerAddress: address('', {
    section: 'login',
    en: 'Address of the WeChat server that hands out the codes.',
    zh: '发放验证码的微信服务器的地址。',
  }),
  WeChatServerToken: secret({
    section: 'login',
    en: 'With which this gateway identifies itself to the WeChat server.',
    zh: '网关访问微信服务器所用的凭证。',
  }),
  WeChatAccountQRCodeImageURL: picture({
    section: 'login',
    en: "Picture of the official account's QR code, shown at sign-in.",
    zh: '登录时显示的公众号二维码图片。',
  }),
  TelegramOAuthEnabled: toggle(false, {
    section: 'login',
    en: 'Shows the Telegram widget at sign-in. Telegram never registers; accounts bind it first.',
    zh: '在登录页显示 Telegram 组件。Telegram 不能注册，须先在账户中绑定。',
    needs: ['TelegramBotToken', 'TelegramBotName'],
  }),
  TelegramBotToken: secret({
    section: 'login',
    en: "Of your bot, from @BotFather; the widget's answers are checked with it.",
    zh: '您的机器人的令牌，由 @BotFather 提供，用于校验组件结果。',
  }),
  TelegramBotName: text('', 100, {
    section: 'login',
    en: "The bot's name without @.",
    zh: '机器人的名称，不含 @。',
  }),
  'oidc.enabled': toggle(false, {
    section: 'login',
    en: 'Shows the OIDC button at sign-in.',
    zh: '在登录页显示 OIDC 按钮。',
    needs: ['oidc.client_id', 'oidc.client_secret', 'oidc.well_known'],
  }),
  'oidc.client_id': text('', 200, {
    section: 'login',
    en: 'Of the client you have registered with the provider.',
    zh: '您在提供方注册的客户端的 ID。',
  }),
  'oidc.client_secret': secret({ section: 'login', en: 'Of the same client.', zh: '同一客户端的密钥。' }),
  'oidc.well_known': address('', {
    section: 'login',
    en: 'Where the provider publishes its configuration; the endpoints below are read from it.',
    zh: '提供方公布配置的地址，以下端点可由此获取。',
  }),
  'oidc.authorization_endpoint': address('', {
    section: 'login',
    en: 'Where people are sent to sign in. Empty: what the provider publishes.',
    zh: '用户登录时跳转的地址，留空则使用提供方公布的地址。',
  }),
  'oidc.token_endpoint': address('', {
    section: 'login',
    en: 'Where a code is exchanged. Empty: what the provider publishes.',
    zh: '兑换令牌的地址，留空则使用提供方公布的地址。',
  }),
  'oidc.user_info_endpoint': address('', {
    section: 'login',
    en: 'Where names and addresses are read. Empty: what the provider publishes.',
    zh: '读取用户信息的地址，留空则使用提供方公布的地址。',
  }),
}
