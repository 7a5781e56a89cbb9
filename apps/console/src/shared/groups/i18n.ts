import { defineMessages } from '../i18n/messages.ts'

/** The exact Chinese descriptions that a new site has for its groups, until the operator changes them. */
export const groupMessages = defineMessages('groups', {
  en: { default: 'Default group', vip: 'VIP group' },
  zh: { default: '默认分组', vip: 'vip分组' },
})
