import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'

export const home = defineFeature({
  name: 'home',
  path: paths.home,
  access: 'public',
  layout: 'site',
  title: { en: 'Home', zh: '首页' },
  isListedInPalette: true,
  needsLibrary: false,
  load: () => import('./page.tsx'),
})
