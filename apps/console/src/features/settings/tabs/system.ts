import { MailTest } from '../extras/mail-test.tsx'
import { OidcFetch } from '../extras/oidc-fetch.tsx'
import { fields, type SettingTab, texts } from '../tab.ts'

/** Addresses, payment, mail, and every way to sign in. */
export const systemTab: SettingTab = {
  key: 'system',
  title: { en: 'System', zh: '系统' },
  sections: [
    {
      key: 'general',
      title: { en: 'General', zh: '通用设置' },
      purpose: { en: 'Where this gateway is found.', zh: '网关的访问地址。' },
      fields: fields('ServerAddress'),
    },
    {
      key: 'worker',
      title: { en: 'Proxy worker', zh: '代理设置' },
      purpose: {
        en: 'A helper for connections this server should not make itself.',
        zh: '代替本服务器发起外部连接的辅助服务。',
      },
      fields: fields('WorkerUrl', 'WorkerValidKey'),
    },
    {
      key: 'payment',
      title: { en: 'Payment', zh: '支付设置' },
      purpose: {
        en: 'Online top-up opens when address, merchant ID and key are filled in.',
        zh: '填写支付地址、商户 ID 和密钥后，在线充值即开放。',
      },
      needs: 'ServerAddress',
      fields: [
        ...fields('PayAddress', 'EpayId', 'EpayKey', 'CustomCallbackAddress', 'Price', 'MinTopUp'),
        ...texts('TopupGroupRatio'),
      ],
    },
    {
      key: 'login',
      title: { en: 'Sign-in and registration', zh: '登录与注册' },
      purpose: { en: 'Who may come in, and how.', zh: '谁可以进入，以及以何种方式。' },
      fields: [
        {
          key: 'PasswordLoginEnabled',
          confirmOff: {
            title: { en: 'Switch password sign-in off?', zh: '确定要取消密码登录吗？' },
            consequence: {
              en: 'Whoever has bound no other account cannot sign in any more, which may be you.',
              zh: '未绑定其他登录方式的用户将无法登录，其中可能包括您自己。',
            },
          },
        },
        ...fields('RegisterEnabled', 'PasswordRegisterEnabled', 'EmailVerificationEnabled'),
      ],
    },
    {
      key: 'domains',
      title: { en: 'E-mail domains', zh: '邮箱域名白名单' },
      purpose: {
        en: 'Keeps throw-away addresses from registering.',
        zh: '防止使用一次性邮箱批量注册。',
      },
      fields: fields('EmailDomainRestrictionEnabled', 'EmailAliasRestrictionEnabled', 'EmailDomainWhitelist'),
    },
    {
      key: 'smtp',
      title: { en: 'Mail (SMTP)', zh: '配置 SMTP' },
      purpose: {
        en: 'Codes, password links and warnings are sent through it.',
        zh: '用于发送验证码、密码重置链接和额度提醒。',
      },
      fields: fields('SMTPServer', 'SMTPPort', 'SMTPSSLEnabled', 'SMTPAccount', 'SMTPFrom', 'SMTPToken'),
      Extra: MailTest,
    },
    {
      key: 'oidc',
      title: { en: 'OIDC', zh: '配置 OIDC' },
      purpose: {
        en: 'Sign-in with any OpenID Connect provider.',
        zh: '通过任意 OpenID Connect 提供方登录。',
      },
      callbackPath: '/oauth/oidc',
      fields: fields(
        'oidc.enabled',
        'oidc.well_known',
        'oidc.client_id',
        'oidc.client_secret',
        'oidc.authorization_endpoint',
        'oidc.token_endpoint',
        'oidc.user_info_endpoint',
      ),
      Extra: OidcFetch,
    },
    {
      key: 'github',
      title: { en: 'GitHub', zh: '配置 GitHub OAuth' },
      purpose: { en: 'Sign-in with a GitHub account.', zh: '通过 GitHub 账户登录。' },
      callbackPath: '/oauth/github',
      fields: fields('GitHubOAuthEnabled', 'GitHubClientId', 'GitHubClientSecret'),
    },
    {
      key: 'linuxdo',
      title: { en: 'Linux DO', zh: '配置 Linux DO OAuth' },
      purpose: { en: 'Sign-in with a Linux DO account.', zh: '通过 Linux DO 账户登录。' },
      callbackPath: '/oauth/linuxdo',
      fields: fields(
        'LinuxDOOAuthEnabled',
        'LinuxDOClientId',
        'LinuxDOClientSecret',
        'LinuxDOMinimumTrustLevel',
      ),
    },
    {
      key: 'wechat',
      title: { en: 'WeChat', zh: '配置微信服务器' },
      purpose: {
        en: 'Sign-in with a code from your official account.',
        zh: '通过公众号发放的验证码登录。',
      },
      fields: fields(
        'WeChatAuthEnabled',
        'WeChatServerAddress',
        'WeChatServerToken',
        'WeChatAccountQRCodeImageURL',
      ),
    },
    {
      key: 'telegram',
      title: { en: 'Telegram', zh: '配置 Telegram 登录' },
      purpose: { en: 'Sign-in with the Telegram widget.', zh: '通过 Telegram 组件登录。' },
      fields: fields('TelegramOAuthEnabled', 'TelegramBotToken', 'TelegramBotName'),
    },
    {
      key: 'turnstile',
      title: { en: 'Turnstile', zh: '配置 Turnstile' },
      purpose: { en: 'A check that a visitor is human.', zh: '确认访问者是真人的校验。' },
      fields: fields('TurnstileCheckEnabled', 'TurnstileSiteKey', 'TurnstileSecretKey'),
    },
  ],
}
