import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'

export const setup = defineFeature({
  name: 'setup',
  path: paths.setup,
  access: 'public',
  layout: 'site',
  title: { en: 'Setup', zh: '初始化' },
  load: () => import('./page.tsx'),
})
