import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { resetSearch } from './search.ts'

export const reset = defineFeature({
  name: 'reset',
  path: paths.reset,
  access: 'public',
  layout: 'site',
  title: { en: 'Reset the password', zh: '重置密码' },
  search: resetSearch,
  needsLibrary: false,
  load: () => import('./page.tsx'),
})

/** The page that the emailed link opens. */
export const resetConfirm = defineFeature({
  ...reset,
  name: 'reset-confirm',
  path: paths.resetConfirm,
})
