import { defineMessages } from '../../../shared/i18n/messages.ts'

export const channelHealthMessages = defineMessages('channel-health', {
  en: {
    none: 'No calls in the last hour',
    rate: '{{percent}} % of {{count}} calls succeeded in the last hour',
    resting: 'Resting after failures; one call at a time tries it again',
    firstByte: 'First byte: half within {{p50}}, 95 % within {{p95}}',
    errors: 'Last failures',
    noErrors: 'No failures in the last hour',
    loading: 'Loading…',
  },
  zh: {
    none: '最近一小时没有调用',
    rate: '最近一小时 {{count}} 次调用，成功率 {{percent}} %',
    resting: '因故障暂停中，将逐个调用尝试恢复',
    firstByte: '首字节：一半在 {{p50}} 内，95% 在 {{p95}} 内',
    errors: '最近的失败',
    noErrors: '最近一小时没有失败',
    loading: '加载中…',
  },
})
