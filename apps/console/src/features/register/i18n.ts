import { defineMessages } from '../../shared/i18n/messages.ts'

export const registerMessages = defineMessages('register', {
  en: {
    title: 'Create an account at {{site}}',
    purpose: 'One account for your tokens, your balance and your usage.',
    username: 'Username',
    usernameHelp: 'Up to {{max}} characters, without spaces and @',
    password: 'Password',
    passwordHelp: '{{min}} to {{max}} characters',
    again: 'Password again',
    submit: 'Register',
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
    username: '用户名',
    usernameHelp: '最多 {{max}} 个字符，不含空格和 @',
    password: '密码',
    passwordHelp: '{{min}} 到 {{max}} 个字符',
    again: '确认密码',
    submit: '注册',
    done: '注册成功，请登录',
    invited: '注册时将提交邀请码 {{code}}；如果该邀请码不存在，则不会生效。',
    closed: '管理员关闭了新用户注册。',
    providersOnly: '本站未开放密码注册，请使用以下任一第三方账户。',
    hasAccount: '已有账户？',
    login: '点击登录',
  },
})
