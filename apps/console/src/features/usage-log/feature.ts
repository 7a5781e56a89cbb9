import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { logSearchSchema } from './filters/search.ts'

export const usageLog = defineFeature({
  name: 'usage-log',
  path: paths.usageLog,
  access: 'user',
  layout: 'console',
  title: { en: 'Usage log', zh: '使用日志' },
  menu: { section: 'console', icon: 'list', order: 30 },
  search: logSearchSchema,
  load: () => import('./page.tsx'),
})
