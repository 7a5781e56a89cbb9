import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'

export const jobs = defineFeature({
  name: 'jobs',
  path: paths.jobs,
  access: 'admin',
  layout: 'console',
  title: { en: 'Background jobs', zh: '后台任务' },
  menu: { section: 'admin', icon: 'clock', order: 80 },
  load: () => import('./page.tsx'),
})
