import { defineFeatureMessages } from '../../shared/i18n/feature-messages.ts'

export const resetMessages = defineFeatureMessages('reset', {
  en: {
    title: 'Reset your password',
    purpose: 'We mail you a link to choose a new password.',
    email: 'The e-mail address of your account',
    submit: 'Send the link',
    resendIn: 'Again in {{seconds}} s',
    'sent.title': 'Look into your mailbox',
    'sent.text':
      'If an account has the address {{email}}, a link is on its way there. It works once, for ten minutes. Please also check your junk mail.',
    closed: 'This site cannot send mail, so a password cannot be reset here. Please ask the administrator.',
    'confirm.purpose': 'For the account with the address {{email}}.',
    'confirm.submit': 'Set the new password',
    'confirm.done': 'The new password is set. Every earlier sign-in has ended; please log in.',
    'confirm.other': 'Ask for another link',
  },
  zh: {
    title: '重置密码',
    purpose: '我们会向您的邮箱发送一个链接，用于设置新密码。',
    email: '账户绑定的邮箱地址',
    submit: '发送链接',
    resendIn: '{{seconds}} 秒后重发',
    'sent.title': '请检查您的邮箱',
    'sent.text':
      '如果有账户绑定了 {{email}}，重置链接正在发往该邮箱。链接十分钟内有效，且只能使用一次；也请留意垃圾邮件。',
    closed: '本站无法发送邮件，因此不能在此重置密码，请联系管理员。',
    'confirm.purpose': '用于绑定邮箱 {{email}} 的账户。',
    'confirm.submit': '设置新密码',
    'confirm.done': '密码已重置，之前的登录均已失效，请重新登录',
    'confirm.other': '重新获取链接',
  },
})
