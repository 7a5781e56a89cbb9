import { defineMessages } from '../../shared/i18n/messages.ts'

export const chatLinkMessages = defineMessages('chat-link', {
  en: {
    title: 'Chat',
    none: 'No chat link is configured',
    noneText: 'Please ask the administrator to configure chat links.',
    broken: 'This chat link is not configured correctly',
    brokenText: 'Please contact the administrator.',
    noToken: 'There is no available enabled token. Create or enable one first.',
    agree: 'Open {{name}} with your key?',
    agreeText:
      '{{name}} ({{place}}) gets the key of your token “{{token}}” and can spend what that token may spend. You are asked once in this browser.',
    open: 'Open {{name}}',
    opened: '{{name}} opens in a separate program.',
    leaving: 'You are led on to {{name}}.',
    again: 'Open again',
    toTokens: 'Go to the tokens',
  },
  zh: {
    title: '聊天',
    none: '未配置聊天链接',
    noneText: '请联系管理员配置聊天链接。',
    broken: '聊天链接配置错误',
    brokenText: '请联系管理员。',
    noToken: '没有可用的已启用令牌，请先创建或启用一个令牌。',
    agree: '使用您的密钥打开 {{name}}？',
    agreeText:
      '{{name}}（{{place}}）将获得令牌“{{token}}”的密钥，可以使用该令牌的额度。在此浏览器中只询问一次。',
    open: '打开 {{name}}',
    opened: '{{name}} 将在其应用程序中打开。',
    leaving: '正在前往 {{name}}。',
    again: '重新打开',
    toTokens: '前往令牌页面',
  },
})
