import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { findTokens } from './find.ts'
import { tokenSearchSchema } from './search.ts'

export const tokens = defineFeature({
  name: 'tokens',
  path: paths.tokens,
  access: 'user',
  layout: 'console',
  title: { en: 'API tokens', zh: '令牌管理' },
  menu: { section: 'console', icon: 'key', order: 20 },
  search: tokenSearchSchema,
  find: findTokens,
  load: () => import('./page.tsx'),
})
