import { choice, integer, toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const dashboardSection = section({
  key: 'dashboard',
  title: { en: 'Dashboard', zh: '数据看板设置' },
  purpose: { en: 'Figures by the hour, day or week.', zh: '按小时、天或周统计的数据。' },
  settings: {
    DataExportEnabled: toggle(true, {
      label: { en: 'Dashboard', zh: '启用数据看板' },
      help: {
        en: 'Shows the page “Dashboard” in the menu. Its figures are kept either way.',
        zh: '在菜单中显示“数据看板”页面；无论是否启用，统计数据都会保留。',
      },
    }),
    DataExportInterval: integer(5, {
      min: 1,
      max: 1440,
      label: { en: 'Dashboard interval (minutes)', zh: '数据看板更新间隔（分钟）' },
      help: {
        en: 'Has no effect: the dashboard is always up to date.',
        zh: '仅为导入和旧版控制台保留，不起作用：数据看板始终实时更新。',
      },
      isWithoutEffect: true,
    }),
    DataExportDefaultTime: choice('hour', {
      choices: {
        hour: { en: 'Hour', zh: '小时' },
        day: { en: 'Day', zh: '天' },
        week: { en: 'Week', zh: '周' },
      },
      label: { en: 'Dashboard granularity', zh: '数据看板默认时间粒度' },
      help: {
        en: 'How the dashboard sums up calls until somebody chooses otherwise.',
        zh: '打开数据看板时按此粒度汇总，用户可自行切换。',
      },
    }),
  },
})
