import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'

export const statusPage = defineFeature({
  name: 'status-page',
  path: paths.statusPage,
  access: 'public',
  layout: 'either',
  title: { en: 'Status', zh: '服务状态' },
  isListedInPalette: true,
  load: () => import('./page.tsx'),
})
