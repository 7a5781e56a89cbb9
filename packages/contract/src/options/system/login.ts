import { toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const loginSection = section({
  key: 'login',
  title: { en: 'Sign-in and registration', zh: '登录与注册' },
  purpose: { en: 'Who may sign in and register, and how.', zh: '谁可以登录和注册，以及通过哪些方式。' },
  // These settings decide who can sign in and register.
  isGuarded: true,
  settings: {
    PasswordLoginEnabled: toggle(true, {
      label: { en: 'Password sign-in', zh: '允许通过密码登录' },
      help: {
        en: 'People may sign in with name and password. When off, only the other sign-in methods work.',
        zh: '允许使用用户名和密码登录；关闭后只能使用其他登录方式。',
      },
      confirmOff: {
        title: { en: 'Switch password sign-in off?', zh: '确定要关闭密码登录吗？' },
        consequence: {
          en: 'People without another way to sign in can no longer sign in. That may include you.',
          zh: '未绑定其他登录方式的用户将无法登录，其中可能包括您自己。',
        },
        confirmLabel: { en: 'Switch password sign-in off', zh: '关闭密码登录' },
      },
    }),
    RegisterEnabled: toggle(true, {
      label: { en: 'Registration', zh: '允许新用户注册' },
      help: { en: 'Whether new accounts can be created at all.', zh: '关闭后，任何方式都无法创建新账户。' },
    }),
    PasswordRegisterEnabled: toggle(true, {
      label: { en: 'Password registration', zh: '允许通过密码注册' },
      help: {
        en: 'People may register with name and password. When off, new accounts come from the other sign-in methods only.',
        zh: '允许使用用户名和密码注册；关闭后只能通过第三方账户注册。',
      },
    }),
    EmailVerificationEnabled: toggle(false, {
      label: { en: 'E-mail verification', zh: '注册时验证邮箱' },
      help: {
        en: 'Registration needs a code that is sent to the address. Set up mail first.',
        zh: '注册时需要填写发送到邮箱的验证码，请先配置 SMTP。',
      },
      needs: ['SMTPServer'],
    }),
  },
})
