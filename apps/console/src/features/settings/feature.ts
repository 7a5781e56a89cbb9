import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { settingSearchSchema } from './search.ts'

export const settings = defineFeature({
  name: 'settings',
  path: paths.settings,
  access: 'root',
  layout: 'console',
  title: { en: 'Settings', zh: '系统设置' },
  menu: { section: 'admin', icon: 'gear', order: 50 },
  search: settingSearchSchema,
  load: () => import('./page.tsx'),
})
