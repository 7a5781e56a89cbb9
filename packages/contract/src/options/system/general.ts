import { address } from '../address-kinds.ts'
import { section } from '../section.ts'

export const generalSection = section({
  key: 'general',
  title: { en: 'General', zh: '通用设置' },
  purpose: { en: 'The address of this gateway.', zh: '网关的访问地址。' },
  // Links in emails and callbacks of sign-ins and payments use this address.
  isGuarded: true,
  settings: {
    ServerAddress: address('', {
      label: { en: 'Server address', zh: '服务器地址' },
      help: {
        en: 'The public address of this gateway. Links in mails, sign-in callbacks and payment callbacks are built from it.',
        zh: '网关的公开地址，邮件链接、登录回调和支付回调均由它生成。',
      },
    }),
  },
})
