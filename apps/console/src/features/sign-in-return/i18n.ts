import { defineFeatureMessages } from '../../shared/i18n/feature-messages.ts'

export const signInReturnMessages = defineFeatureMessages('doorReturn', {
  en: {
    'enter.title': 'Signing in with {{provider}}',
    'enter.purpose': 'One moment: we are asking {{provider}} who you are.',
    'enter.failedTitle': 'Signing in with {{provider}} failed',
    'enter.failed': 'You were not signed in. Nothing has changed.',
    'bind.title': 'Binding {{provider}}',
    'bind.purpose': 'One moment: we are asking {{provider}} which account is yours.',
    'bind.failedTitle': 'Binding {{provider}} failed',
    'bind.failed': 'The account was not bound. Nothing has changed.',
    toPersonal: 'Back to my account',
    bound: '{{provider}} is bound to your account',
    unknown: 'There is no sign-in at this address.',
  },
  zh: {
    'enter.title': '正在通过 {{provider}} 登录',
    'enter.purpose': '请稍候，正在向 {{provider}} 确认您的身份。',
    'enter.failedTitle': '通过 {{provider}} 登录失败',
    'enter.failed': '登录未完成，没有任何更改。',
    'bind.title': '正在绑定 {{provider}}',
    'bind.purpose': '请稍候，正在向 {{provider}} 确认您的账户。',
    'bind.failedTitle': '绑定 {{provider}} 失败',
    'bind.failed': '绑定未完成，没有任何更改。',
    toPersonal: '返回个人设置',
    bound: '{{provider}} 绑定成功！',
    unknown: '此地址没有对应的登录方式。',
  },
})
