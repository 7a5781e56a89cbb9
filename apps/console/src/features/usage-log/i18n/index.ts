import { defineFeatureMessages } from '../../../shared/i18n/feature-messages.ts'
import { defineTexts } from '../../../shared/i18n/messages.ts'
import { detailsTexts } from './details.ts'
import { receiptTexts } from './receipt.ts'
import { timelineTexts } from './timeline.ts'

const pageTexts = defineTexts({
  en: {
    title: 'Usage log',
    purpose: 'Every call, its usage, and how its price was calculated.',
    units: '{{amount}} units',
    stream: 'stream',
    more: 'Show all',
    less: 'Show less',
    empty: 'No calls yet today',
    'empty.text':
      'Calls appear here when they end. Choose an earlier time to see older ones, or “All types” for top-ups, sign-ins and the rest.',
    'empty.filtered': 'Nothing matches these filters',
    'empty.filteredText': 'Tokens and users are matched by their full name, models by any part of it.',
    'export.csv': 'CSV, for spreadsheets',
    'export.jsonl': 'JSON lines, with every field',
    'export.stop': 'Stop the export',
    'export.done': 'Exported',

    'summary.spent': 'Spent',
    'summary.tokens': 'Tokens',
    'summary.input': 'Input tokens',
    'summary.output': 'Output tokens',
    'summary.rpm': 'Calls in the last 60 seconds',
    'summary.tpm': 'Tokens in the last 60 seconds',
    'filter.otherClient': 'other',
    'filter.containing': 'All with “{{text}}”',
    'range.lastHour': 'Last hour',
    'range.today': 'Today',
    'range.yesterday': 'Yesterday',
    'range.week': 'Last 7 days',
    'range.month': 'Last 30 days',

    'type.calls': 'Calls',
    'type.all': 'All types',
    'signIn.by': 'by {{way}}',
    'column.type': 'Type',
    'column.duration': 'Duration · first token',
    'column.retry': 'Retry',
    'duration.whole': 'How long the call took',
    'duration.firstToken': 'Until the first token',

    receipt: 'Receipt',
    timeline: 'What happened',
    kept: 'This conversation was kept because the site is set to do so.',
  },
  zh: {
    title: '使用日志',
    purpose: '每一次调用：用了多少，价格如何得出。',
    units: '{{amount}} 点',
    stream: '流式',
    more: '展开全部',
    less: '收起',
    empty: '今天还没有调用',
    'empty.text':
      '调用结束后会出现在这里。要看更早的记录，请选择更早的时间；充值、登录等其他记录请选择“全部类型”。',
    'empty.filtered': '没有符合筛选条件的记录',
    'empty.filteredText': '令牌和用户名需完全一致，模型名称可以只填一部分。',
    'export.csv': 'CSV（电子表格）',
    'export.jsonl': 'JSON Lines（全部字段）',
    'export.stop': '停止导出',
    'export.done': '已导出',

    'summary.spent': '消耗',
    'summary.tokens': 'Token 总数',
    'summary.input': '输入 Token',
    'summary.output': '输出 Token',
    'summary.rpm': '最近 60 秒的调用次数',
    'summary.tpm': '最近 60 秒的 Token 数',
    'filter.otherClient': '其他',
    'filter.containing': '名称含“{{text}}”',
    'range.lastHour': '最近 1 小时',
    'range.today': '今天',
    'range.yesterday': '昨天',
    'range.week': '最近 7 天',
    'range.month': '最近 30 天',

    'type.calls': '调用',
    'type.all': '全部类型',
    'signIn.by': '方式：{{way}}',
    'column.type': '类型',
    'column.duration': '用时 · 首字',
    'column.retry': '重试',
    'duration.whole': '整个调用的用时',
    'duration.firstToken': '首字用时',

    receipt: '账单',
    timeline: '经过',
    kept: '本站设置为保存对话，因此可在此查看。',
  },
})

export const usageLogMessages = defineFeatureMessages('usage-log', {
  en: { ...pageTexts.en, ...detailsTexts.en, ...receiptTexts.en, ...timelineTexts.en },
  zh: { ...pageTexts.zh, ...detailsTexts.zh, ...receiptTexts.zh, ...timelineTexts.zh },
})

export type UsageLogKey = Parameters<typeof usageLogMessages.t>[0]
