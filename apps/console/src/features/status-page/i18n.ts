import { defineFeatureMessages } from '../../shared/i18n/feature-messages.ts'

export const statusPageMessages = defineFeatureMessages('status-page', {
  en: {
    title: 'Status',
    purpose: 'Share of served calls by model in the last 90 days.',
    off: 'This site has no status page',
    none: 'No calls yet',
    incidents: 'Incidents',
    models: 'Models',
    day: '{{date}}: {{share}}',
    noCalls: 'no calls',
    ago: '90 days ago',
    today: 'Today',
  },
  zh: {
    title: '服务状态',
    purpose: '最近 90 天各模型成功调用的比例。',
    off: '本站未开放状态页',
    none: '暂无调用',
    incidents: '事件公告',
    models: '模型',
    day: '{{date}}：{{share}}',
    noCalls: '无调用',
    ago: '90 天前',
    today: '今天',
  },
})
