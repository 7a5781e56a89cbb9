import { defineFeature } from '../../shared/routing/feature.ts'
import { redemptionSearchSchema } from './search.ts'

export const redemptions = defineFeature({
  name: 'redemptions',
  path: '/redemption',
  access: 'admin',
  layout: 'console',
  title: { en: 'Redemption codes', zh: '兑换码管理' },
  menu: { section: 'admin', icon: 'gift', order: 25 },
  search: redemptionSearchSchema,
  load: () => import('./page.tsx'),
})
