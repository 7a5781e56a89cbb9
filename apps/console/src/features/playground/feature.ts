import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'

export const playground = defineFeature({
  name: 'playground',
  path: paths.playground,
  access: 'user',
  layout: 'console',
  title: { en: 'Playground', zh: '操练场' },
  menu: { section: 'top', icon: 'chat', order: 10 },
  load: () => import('./page.tsx'),
})
