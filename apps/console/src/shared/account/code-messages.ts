import { defineMessages } from '../i18n/messages.ts'

export const codeMessages = defineMessages('code', {
  en: {
    email: 'E-mail',
    code: 'Verification code',
    send: 'Send code',
    resendIn: 'Again in {{seconds}} s',
    sent: 'The code has been sent. It is valid for ten minutes; please also check your junk mail.',
  },
  zh: {
    email: '邮箱',
    code: '验证码',
    send: '获取验证码',
    resendIn: '{{seconds}} 秒后重发',
    sent: '验证码发送成功，请检查您的邮箱（包括垃圾邮件）。十分钟内有效。',
  },
})
