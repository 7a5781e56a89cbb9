import { defineMessages } from '../../../shared/i18n/messages.ts'

export const channelLessonMessages = defineMessages('channel-lessons', {
  en: {
    title: 'Learned from refusals',
    purpose:
      'The upstream refused requests in another form, so they are adapted. Each entry ends after a day.',
    everyModel: 'All models',
    learned: 'learned',
    ends: 'ends {{time}}',
    reset: 'Forget all',
    resetTitle: 'Delete the lessons of channel “{{name}}”?',
    resetText:
      'The next calls are sent as callers wrote them. What the upstream refuses then is learned again.',
    done: '{{count}} forgotten',
  },
  zh: {
    title: '根据上游拒绝所做的调整',
    purpose: '上游曾拒绝请求的原有写法，因此会自动调整请求。每条记录一天后失效。',
    everyModel: '所有模型',
    learned: '记录于',
    ends: '{{time}} 失效',
    reset: '全部清除',
    resetTitle: '清除渠道“{{name}}”的调整记录？',
    resetText: '之后的请求将按调用方的原样发送；若上游再次拒绝，会重新记录。',
    done: '已清除 {{count}} 条',
  },
})
