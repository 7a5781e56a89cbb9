import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { registerSearch } from './search.ts'

export const register = defineFeature({
  name: 'register',
  path: paths.register,
  access: 'public',
  layout: 'site',
  title: { en: 'Register', zh: '注册' },
  search: registerSearch,
  needsLibrary: false,
  load: () => import('./page.tsx'),
})
