import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { modelSearch } from './model/search.ts'
import { pricingSearch } from './list/search.ts'

export const pricing = defineFeature({
  name: 'pricing',
  path: paths.pricing,
  access: 'public',
  layout: 'site',
  title: { en: 'Pricing', zh: '模型价格' },
  search: pricingSearch,
  isListedInPalette: true,
  load: () => import('./list/page.tsx'),
})

export const pricingModel = defineFeature({
  name: 'pricing-model',
  path: paths.pricingModel,
  access: 'public',
  layout: 'site',
  title: { en: 'Model', zh: '模型' },
  search: modelSearch,
  load: () => import('./model/page.tsx'),
})
