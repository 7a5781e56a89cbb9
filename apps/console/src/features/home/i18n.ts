import { defineFeatureMessages } from '../../shared/i18n/feature-messages.ts'

export const homeMessages = defineFeatureMessages('home', {
  en: {
    title: 'Home',
    heading: 'One address for every model',
    lead: '{{site}} stands between your programs and the model providers. Send the requests you already send, with one token; see what each call used and what it cost, to the sixth decimal.',
    open: 'Open the console',
    prices: 'See the prices',
    about: 'About this site',
    'call.title': 'Your first call',
    'call.text':
      'Create an API token, put it in place of {{key}}, and run this. Existing clients only need the new base URL and the token.',
    'call.token': 'Create a token',
    'call.connect': 'Connect a program',
    'point.books': 'Exact books',
    'point.booksText':
      'Every charge has a receipt: usage times unit price, the group’s ratio, the rounding. Whole numbers throughout.',
    'point.failover': 'Calm failures',
    'point.failoverText':
      'When a provider fails before it has answered, the next channel is tried. You pay for what was delivered.',
    'point.limits': 'Tokens with limits',
    'point.limitsText':
      'Each token can have its own quota, end date, models and addresses, so a leaked key stays a small problem.',
  },
  zh: {
    title: '首页',
    heading: '一个地址，所有模型',
    lead: '{{site}} 位于您的程序与模型供应商之间。照常发送请求，只需一个令牌；每次调用用了多少、花了多少，精确到小数点后六位。',
    open: '打开控制台',
    prices: '查看价格',
    about: '关于本站',
    'call.title': '第一次调用',
    'call.text': '创建一个 API 令牌，替换下面的 {{key}}，然后运行。已有的客户端只需更换 Base URL 和密钥。',
    'call.token': '创建令牌',
    'call.connect': '接入程序',
    'point.books': '账目精确',
    'point.booksText': '每笔费用都有明细：用量乘以单价、分组倍率、舍入方式，全程整数计算。',
    'point.failover': '从容应对故障',
    'point.failoverText': '供应商在应答之前失败时，会自动尝试下一个渠道。您只为实际交付的内容付费。',
    'point.limits': '令牌可设限',
    'point.limitsText': '每个令牌都可以有自己的额度、有效期、可用模型和来源地址，密钥泄露也只是小问题。',
  },
})
