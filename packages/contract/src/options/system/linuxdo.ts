import { integer, secret, text, toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const linuxdoSection = section({
  key: 'linuxdo',
  title: { en: 'Linux DO', zh: '配置 Linux DO OAuth' },
  purpose: { en: 'Sign-in with a Linux DO account.', zh: '通过 Linux DO 账户登录。' },
  callbackPath: '/oauth/linuxdo',
  // A person who controls the sign-in provider can sign in as every user bound to it.
  isGuarded: true,
  settings: {
    LinuxDOOAuthEnabled: toggle(false, {
      label: { en: 'Linux DO sign-in', zh: '允许通过 Linux DO 登录' },
      help: { en: 'Shows the Linux DO button at sign-in.', zh: '在登录页显示 Linux DO 按钮。' },
      needs: ['LinuxDOClientId', 'LinuxDOClientSecret'],
    }),
    LinuxDOClientId: text('', 200, {
      label: { en: 'Client ID', zh: 'Linux DO Client ID' },
      help: {
        en: 'The ID of the application that you registered at Linux DO Connect.',
        zh: '您在 Linux DO Connect 注册的应用的 ID。',
      },
    }),
    LinuxDOClientSecret: secret({
      label: { en: 'Client secret', zh: 'Linux DO Client Secret' },
      help: { en: 'The secret of the same application.', zh: '同一应用的密钥。' },
    }),
    LinuxDOMinimumTrustLevel: integer(0, {
      min: 0,
      max: 4,
      label: { en: 'Lowest trust level', zh: '最低信任等级' },
      help: {
        en: 'The lowest trust level at Linux DO that may sign in; 0 lets everybody in.',
        zh: '允许登录的最低信任等级，0 表示不限制。',
      },
    }),
  },
})
