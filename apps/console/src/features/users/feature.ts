import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { findUsers } from './find.ts'
import { userSearchSchema } from './search.ts'

/** The family's address of the form of a user; without an id, of one's own account. */
export const userEdit = defineFeature({
  name: 'user-edit',
  path: '/user/edit/{-$id}',
  access: 'user',
  layout: 'console',
  title: { en: 'Edit user', zh: '编辑用户' },
  load: () => import('./edit/page.tsx'),
})

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
