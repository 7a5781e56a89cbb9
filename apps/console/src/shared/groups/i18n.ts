import { defineMessages } from '../i18n/messages.ts'

/** A new site describes its groups in these Chinese words, letter by letter, until the operator writes others. */
export const groupMessages = defineMessages('groups', {
  en: { default: 'Default group', vip: 'VIP group' },
  zh: { default: '默认分组', vip: 'vip分组' },
})
