import { defineFeatureMessages } from '../../../shared/i18n/feature-messages.ts'

export const channelDetailMessages = defineFeatureMessages('channel-details', {
  en: {
    usual: '(the provider’s own)',
    all_one: 'Show {{count}} model',
    all_other: 'Show all {{count}} models',
  },
  zh: {
    usual: '（服务商默认地址）',
    all_other: '显示全部 {{count}} 个模型',
  },
})
