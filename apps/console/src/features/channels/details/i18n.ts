import { defineMessages } from '../../../shared/i18n/messages.ts'

export const channelDetailMessages = defineMessages('channel-details', {
  en: {
    address: 'Address',
    usual: '(the provider’s own)',
    all_one: 'Show {{count}} model',
    all_other: 'Show all {{count}} models',
    fewer: 'Show fewer',
  },
  zh: {
    address: '地址',
    usual: '（服务商默认地址）',
    all_other: '显示全部 {{count}} 个模型',
    fewer: '收起',
  },
})
