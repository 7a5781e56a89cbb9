import { defineMessages } from '../../../shared/i18n/messages.ts'

export const channelTestMessages = defineMessages('channel-test', {
  en: {
    title: 'Last test',
    never: 'Not tested',
    failed: 'Failed',
    failedWith: 'Failed · {{status}}',
    passed: 'Answered in {{time}}',
    anyTest: 'Any last test',
    filterFailed: 'Last test failed',
    filterOk: 'Last test worked',
  },
  zh: {
    title: '最近测试',
    never: '未测试',
    failed: '失败',
    failedWith: '失败 · {{status}}',
    passed: '{{time}} 内响应',
    anyTest: '全部测试结果',
    filterFailed: '最近测试失败',
    filterOk: '最近测试成功',
  },
})
