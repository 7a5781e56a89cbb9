import { defineMessages } from '../../shared/i18n/messages.ts'

export const doorReturnMessages = defineMessages('doorReturn', {
  en: {
    'enter.title': 'Signing in with {{door}}',
    'enter.purpose': 'One moment: we are asking {{door}} who you are.',
    'enter.failed': 'You were not signed in. Nothing has changed.',
    'bind.title': 'Binding {{door}}',
    'bind.purpose': 'One moment: we are asking {{door}} which account is yours.',
    'bind.failed': 'The account was not bound. Nothing has changed.',
    again: 'Try again',
    toLogin: 'Back to log in',
    toPersonal: 'Back to my account',
    done: 'Logged in',
    bound: '{{door}} is bound to your account',
    unknown: 'There is no way in at this address.',
  },
  zh: {
    'enter.title': '正在通过 {{door}} 登录',
    'enter.purpose': '请稍候，正在向 {{door}} 确认您的身份。',
    'enter.failed': '登录未完成，没有任何更改。',
    'bind.title': '正在绑定 {{door}}',
    'bind.purpose': '请稍候，正在向 {{door}} 确认您的账户。',
    'bind.failed': '绑定未完成，没有任何更改。',
    again: '重试',
    toLogin: '返回登录',
    toPersonal: '返回个人设置',
    done: '登录成功',
    bound: '{{door}} 绑定成功！',
    unknown: '此地址没有对应的登录方式。',
  },
})
