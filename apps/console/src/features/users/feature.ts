import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { findUsers } from './find.ts'
import { userSearchSchema } from './search.ts'

/**
 * The address that consoles of new-api use for the form of a user; without an id, it means the reader's own
 * account.
 */
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
