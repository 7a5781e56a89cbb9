import { defineMailAddress } from '../mail-address-kind.ts'
import { integer, secret, text, toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const smtpSection = section({
  key: 'smtp',
  title: { en: 'Mail (SMTP)', zh: '配置 SMTP' },
  purpose: {
    en: 'Codes, password links and warnings are sent through it.',
    zh: '用于发送验证码、密码重置链接和额度提醒。',
  },
  finds: [{ en: 'Test mail', zh: '测试邮件' }],
  // All emails, including reset links, go through this server, and it receives the password.
  isGuarded: true,
  settings: {
    SMTPServer: text('', 253, {
      label: { en: 'SMTP server', zh: 'SMTP 服务器地址' },
      help: {
        en: 'Host name of your mail server. Empty: no mail is sent.',
        zh: '邮件服务器的主机名，留空则不发送邮件。',
      },
    }),
    SMTPPort: integer(587, {
      min: 1,
      max: 65_535,
      label: { en: 'SMTP port', zh: 'SMTP 端口' },
      help: {
        en: '587 starts unencrypted and switches to TLS; 465 uses TLS from the start.',
        zh: '587 先建立连接再升级为 TLS；465 从一开始就使用 TLS。',
      },
    }),
    SMTPSSLEnabled: toggle(false, {
      label: { en: 'TLS from the start', zh: '启用 SMTP SSL' },
      help: { en: 'Uses TLS from the first byte, on any port.', zh: '无论端口，从第一个字节起使用 TLS。' },
    }),
    SMTPAccount: text('', 320, {
      label: { en: 'SMTP account', zh: 'SMTP 账户' },
      help: { en: 'The name to sign in to the mail server with.', zh: '登录邮件服务器的账户名。' },
    }),
    SMTPFrom: defineMailAddress({
      label: { en: 'Sender', zh: '发件人邮箱' },
      help: {
        en: 'The address mails come from. Empty: the account.',
        zh: '发件邮箱地址，留空则使用账户名。',
      },
    }),
    SMTPToken: secret({
      keepsBlanks: true,
      label: { en: 'SMTP password', zh: 'SMTP 访问凭证' },
      help: { en: 'The password, or an app password, of the account.', zh: '账户的密码或授权码。' },
    }),
  },
})
