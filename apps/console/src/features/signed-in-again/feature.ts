import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'

/** The last page of the window that was opened to sign in again. */
export const signedInAgain = defineFeature({
  name: 'signed-in-again',
  path: paths.signedInAgain,
  access: 'public',
  layout: 'site',
  title: { en: 'Signed in', zh: '已登录' },
  needsLibrary: false,
  load: () => import('./page.tsx'),
})
