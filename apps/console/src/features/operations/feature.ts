import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'

export const operations = defineFeature({
  name: 'operations',
  path: paths.operations,
  access: 'admin',
  layout: 'console',
  title: { en: 'Operations', zh: '运行状况' },
  menu: { section: 'admin', icon: 'bell', order: 75 },
  load: () => import('./page.tsx'),
})
