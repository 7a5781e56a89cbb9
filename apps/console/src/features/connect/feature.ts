import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { connectSearchSchema } from './search.ts'

export const connect = defineFeature({
  name: 'connect',
  path: paths.connect,
  access: 'user',
  layout: 'console',
  title: { en: 'Connect', zh: '接入' },
  menu: { section: 'console', icon: 'plug', order: 25 },
  search: connectSearchSchema,
  load: () => import('./page.tsx'),
})
