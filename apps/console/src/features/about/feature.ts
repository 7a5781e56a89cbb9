import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'

export const about = defineFeature({
  name: 'about',
  path: paths.about,
  access: 'public',
  layout: 'either',
  title: { en: 'About', zh: '关于' },
  isListedInPalette: true,
  needsLibrary: false,
  load: () => import('./page.tsx'),
})
