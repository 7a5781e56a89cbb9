import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'

/**
 * `/oauth/github`, `/oauth/oidc`, `/oauth/linuxdo`, `/oauth/telegram`: callback addresses to which sign-in
 * providers redirect the browser.
 */
export const signInReturn = defineFeature({
  name: 'door-return',
  path: paths.signInReturn,
  access: 'public',
  layout: 'site',
  title: { en: 'Signing in', zh: '正在登录' },
  load: () => import('./page.tsx'),
})
