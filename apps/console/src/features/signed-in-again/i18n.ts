import { defineMessages } from '../../shared/i18n/messages.ts'

export const signedInAgainMessages = defineMessages('signedInAgain', {
  en: {
    title: 'You are signed in',
    purpose: 'Continue in the other window. You can close this one.',
    close: 'Close this window',
  },
  zh: {
    title: '登录成功',
    purpose: '请回到原来的窗口继续操作，此窗口可以关闭。',
    close: '关闭此窗口',
  },
})
