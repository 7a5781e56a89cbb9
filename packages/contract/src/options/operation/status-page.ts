import { page, parts, toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const statusPageSection = section({
  key: 'status-page',
  title: { en: 'Public status page', zh: '公开状态页' },
  purpose: {
    en: 'Availability by model at /status, for everybody.',
    zh: '在 /status 向所有人展示各模型的可用率。',
  },
  settings: {
    StatusPageEnabled: toggle(false, {
      label: { en: 'Status page', zh: '启用状态页' },
      help: {
        en: 'Shows the share of served calls on each of the last 90 days, without numbers of calls.',
        zh: '展示最近 90 天每天成功调用的比例，不展示调用次数。',
      },
    }),
    StatusPageModels: parts('list', [], {
      label: { en: 'Models on the page', zh: '展示的模型' },
      help: {
        en: 'Separated by commas, in this order. Empty: the 50 models with the most calls that guests can see in the price list.',
        zh: '以逗号分隔，按此顺序展示。留空则展示访客在价格表中可见、调用最多的 50 个模型。',
      },
    }),
    StatusPageIncidents: page(10, {
      label: { en: 'Incidents', zh: '事件公告' },
      help: {
        en: 'Markdown above the models: what happened, when, and what you did. Empty: no incidents.',
        zh: '展示在模型上方的 Markdown 内容：发生了什么、时间与处理情况。留空则不展示。',
      },
    }),
  },
})
