import { defineMessages } from '../i18n/messages.ts'

export const proveMessages = defineMessages('prove', {
  en: {
    title: 'Please confirm that it is you',
    text: 'You signed in a while ago. Confirm that it is you to see or change secrets, passwords, ways to sign in and the settings behind them.',
    password: 'Your password',
    missing: 'Please enter your password.',
    submit: 'Continue',
    again: 'Sign in again',
    elsewhere:
      'You sign in through another service. A window opens for that; afterwards you go on here, and nothing you typed is lost.',
    blocked: 'The browser did not open a window. Please allow windows for this site and try again.',
    other: 'Another account signed in. Please sign in with the account of this page.',
  },
  zh: {
    title: '请验证您的身份',
    text: '距离您上次登录已有一段时间。查看或修改密钥、密码、登录方式及相关设置前，需要重新验证。',
    password: '您的密码',
    missing: '请输入密码',
    submit: '继续',
    again: '重新登录',
    elsewhere: '您通过第三方账户登录。点击后将打开新窗口，登录完成后在此继续，已填写的内容不会丢失。',
    blocked: '浏览器未能打开新窗口，请允许本站弹出窗口后重试。',
    other: '登录的是另一个账户，请使用当前页面的账户登录。',
  },
})
