import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { modelSearch } from './model/search.ts'
import { pricingSearch } from './list/search.ts'

export const pricing = defineFeature({
  name: 'pricing',
  path: paths.pricing,
  access: 'public',
  layout: 'either',
  title: { en: 'Pricing', zh: '模型价格' },
  search: pricingSearch,
  isListedInPalette: true,
  needsLibrary: false,
  load: () => import('./list/page.tsx'),
})

export const pricingModel = defineFeature({
  name: 'pricing-model',
  path: paths.pricingModel,
  access: 'public',
  layout: 'either',
  title: { en: 'Model', zh: '模型' },
  search: modelSearch,
  load: () => import('./model/page.tsx'),
})
