import { defineMessages } from '../i18n/messages.ts'

export const proveMessages = defineMessages('prove', {
  en: {
    title: 'Please prove that it is you',
    text: 'Your last sign-in is a while ago. Secrets and ways to sign in can only be seen and changed soon after one.',
    password: 'Your password',
    missing: 'Please enter your password.',
    submit: 'Continue',
    again: 'Log in again',
  },
  zh: {
    title: '请验证您的身份',
    text: '距离您上次登录已有一段时间。查看或修改密钥与登录方式前，需要重新验证。',
    password: '您的密码',
    missing: '请输入密码',
    submit: '继续',
    again: '重新登录',
  },
})
