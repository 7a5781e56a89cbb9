import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { findUsers } from './find.ts'
import { userSearchSchema } from './search.ts'

export const users = defineFeature({
  name: 'users',
  path: paths.users,
  access: 'admin',
  layout: 'console',
  title: { en: 'Users', zh: '用户管理' },
  menu: { section: 'admin', icon: 'users', order: 30 },
  search: userSearchSchema,
  find: findUsers,
  load: () => import('./page.tsx'),
})
