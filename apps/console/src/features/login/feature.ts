import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { loginSearch } from './search.ts'

export const login = defineFeature({
  name: 'login',
  path: paths.login,
  access: 'public',
  layout: 'site',
  title: { en: 'Log in', zh: '登录' },
  search: loginSearch,
  needsLibrary: false,
  load: () => import('./page.tsx'),
})
