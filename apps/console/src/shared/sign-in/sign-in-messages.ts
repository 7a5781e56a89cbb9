import { defineMessages } from '../i18n/messages.ts'

export const signInMessages = defineMessages('doors', {
  en: {
    through: 'Continue with {{provider}}',
    or: 'or',
    'wechat.through': 'Continue with WeChat',
    'wechat.title': 'WeChat',
    'wechat.text':
      'Scan the picture with WeChat and follow the account, then ask it for a verification code. The code is valid for three minutes.',
    'wechat.alt': 'QR code of the WeChat account of this site',
    'wechat.noImage':
      'The administrator has not set a QR code. Ask the WeChat account of this site for a verification code.',
    'wechat.code': 'Code',
    'wechat.missing': 'Please enter the code.',
    'wechat.submit': 'Continue',
    'telegram.failed':
      'The Telegram button could not be loaded. Please check the network, then reload the page.',
    'human.label': 'Human check',
    'human.wait': 'Please retry in a few seconds, Turnstile is checking the environment.',
    'human.failed': 'The human check could not be loaded. Please check the network, then reload the page.',
    done: 'Logged in',
  },
  zh: {
    through: '使用 {{provider}} 继续',
    or: '或',
    'wechat.through': '使用微信继续',
    'wechat.title': '微信',
    'wechat.text': '请使用微信扫码关注公众号，输入“验证码”获取验证码（三分钟内有效）。',
    'wechat.alt': '本站微信公众号二维码',
    'wechat.noImage': '管理员尚未上传二维码，请向本站公众号发送“验证码”。',
    'wechat.code': '验证码',
    'wechat.missing': '请输入验证码',
    'wechat.submit': '继续',
    'telegram.failed': 'Telegram 按钮加载失败，请检查网络后刷新页面。',
    'human.label': '人机验证',
    'human.wait': '请稍后几秒重试，Turnstile 正在检查用户环境！',
    'human.failed': '人机验证加载失败，请检查网络后刷新页面。',
    done: '登录成功',
  },
})
