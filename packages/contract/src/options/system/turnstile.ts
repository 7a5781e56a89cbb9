import { secret, text, toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const turnstileSection = section({
  key: 'turnstile',
  title: { en: 'Turnstile', zh: '配置 Turnstile' },
  purpose: { en: 'A check that a visitor is human.', zh: '确认访问者是真人的校验。' },
  // These settings decide who can sign in and register.
  isGuarded: true,
  settings: {
    TurnstileCheckEnabled: toggle(false, {
      label: { en: 'Human check', zh: '启用 Turnstile 人机验证' },
      help: {
        en: 'Asks visitors to prove they are human at sign-in, registration and when a mail is requested.',
        zh: '在登录、注册和请求邮件时要求访问者通过人机验证。',
      },
      needs: ['TurnstileSiteKey', 'TurnstileSecretKey'],
    }),
    TurnstileSiteKey: text('', 200, {
      label: { en: 'Site key', zh: 'Turnstile Site Key' },
      help: {
        en: 'The public key of the widget, from the Cloudflare dashboard.',
        zh: '组件的公开密钥，来自 Cloudflare 控制台。',
      },
    }),
    TurnstileSecretKey: secret({
      label: { en: 'Secret key', zh: 'Turnstile Secret Key' },
      help: {
        en: 'The secret key with which answers of the widget are checked.',
        zh: '用于校验组件结果的私密密钥。',
      },
    }),
  },
})
