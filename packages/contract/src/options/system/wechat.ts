import { address, picture } from '../address-kinds.ts'
import { secret, toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const wechatSection = section({
  key: 'wechat',
  title: { en: 'WeChat', zh: '配置微信服务器' },
  purpose: { en: 'Sign-in with a code from your official account.', zh: '通过公众号发放的验证码登录。' },
  // A person who controls the sign-in provider can sign in as every user bound to it.
  isGuarded: true,
  settings: {
    WeChatAuthEnabled: toggle(false, {
      label: { en: 'WeChat sign-in', zh: '允许通过微信登录' },
      help: {
        en: 'Shows the WeChat button at sign-in: a QR code, and a code valid for three minutes.',
        zh: '在登录页显示微信按钮：扫描二维码后输入三分钟内有效的验证码。',
      },
      needs: ['WeChatServerAddress', 'WeChatServerToken'],
    }),
    WeChatServerAddress: address('', {
      label: { en: 'WeChat server address', zh: '微信服务器地址' },
      help: {
        en: 'Address of the WeChat server that hands out the codes.',
        zh: '发放验证码的微信服务器的地址。',
      },
    }),
    WeChatServerToken: secret({
      label: { en: 'WeChat server token', zh: '微信服务器访问凭证' },
      help: { en: 'Identifies this gateway to the WeChat server.', zh: '网关访问微信服务器所用的凭证。' },
    }),
    WeChatAccountQRCodeImageURL: picture({
      label: { en: 'QR code image', zh: '公众号二维码图片地址' },
      help: {
        en: "Picture of the official account's QR code, shown at sign-in.",
        zh: '登录时显示的公众号二维码图片。',
      },
    }),
  },
})
