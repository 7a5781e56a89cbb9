import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'

export const personal = defineFeature({
  name: 'personal',
  path: paths.personal,
  access: 'user',
  layout: 'console',
  title: { en: 'My account', zh: '个人设置' },
  menu: { section: 'personal', icon: 'user', order: 20 },
  load: () => import('./page.tsx'),
})
