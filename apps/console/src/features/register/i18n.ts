import { defineFeatureMessages } from '../../shared/i18n/feature-messages.ts'

export const registerMessages = defineFeatureMessages('register', {
  en: {
    title: 'Create an account at {{site}}',
    purpose: 'One account for your tokens, your balance and your usage.',
    done: 'Registered. You can log in now.',
    invited: 'The invitation code {{code}} is sent when you register. A code that nobody owns has no effect.',
    closed: 'The administrator has closed new registrations.',
    providersOnly:
      'Accounts are made with one of these services; there is no registration with a password here.',
    hasAccount: 'Already have an account?',
    login: 'Log in',
  },
  zh: {
    title: '注册 {{site}} 账户',
    purpose: '一个账户，管理令牌、余额与用量。',
    done: '注册成功，请登录',
    invited: '注册时将提交邀请码 {{code}}；如果该邀请码不存在，则不会生效。',
    closed: '管理员关闭了新用户注册。',
    providersOnly: '本站未开放密码注册，请使用以下任一第三方账户。',
    hasAccount: '已有账户？',
    login: '点击登录',
  },
})
