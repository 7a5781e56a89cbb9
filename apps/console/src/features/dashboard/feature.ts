import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { dashboardSearchSchema } from './search.ts'

export const dashboard = defineFeature({
  name: 'dashboard',
  path: paths.dashboard,
  access: 'user',
  layout: 'console',
  title: { en: 'Dashboard', zh: '数据看板' },
  menu: { section: 'console', icon: 'chart', order: 10, flag: 'enable_data_export' },
  search: dashboardSearchSchema,
  load: () => import('./page.tsx'),
})
