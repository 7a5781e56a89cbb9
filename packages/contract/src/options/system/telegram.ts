import { secret, text, toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const telegramSection = section({
  key: 'telegram',
  title: { en: 'Telegram', zh: '配置 Telegram 登录' },
  purpose: { en: 'Sign-in with the Telegram widget.', zh: '通过 Telegram 组件登录。' },
  // A person who controls the sign-in provider can sign in as every user bound to it.
  isGuarded: true,
  settings: {
    TelegramOAuthEnabled: toggle(false, {
      label: { en: 'Telegram sign-in', zh: '允许通过 Telegram 登录' },
      help: {
        en: 'Shows the Telegram widget at sign-in. Telegram never registers; accounts bind it first.',
        zh: '在登录页显示 Telegram 组件。Telegram 不能注册，须先在账户中绑定。',
      },
      needs: ['TelegramBotToken', 'TelegramBotName'],
    }),
    TelegramBotToken: secret({
      label: { en: 'Bot token', zh: 'Telegram Bot Token' },
      help: {
        en: 'The token of your bot, from @BotFather. The answers of the widget are checked with it.',
        zh: '您的机器人的令牌，由 @BotFather 提供，用于校验组件结果。',
      },
    }),
    TelegramBotName: text('', 100, {
      label: { en: 'Bot name', zh: 'Telegram Bot 名称' },
      help: { en: "The bot's name without @.", zh: '机器人的名称，不含 @。' },
    }),
  },
})
