import { defineFeature } from '../../shared/routing/feature.ts'
import { walletSearchSchema } from './search.ts'

export const wallet = defineFeature({
  name: 'wallet',
  path: '/topup',
  access: 'user',
  layout: 'console',
  title: { en: 'Wallet', zh: '钱包' },
  menu: { section: 'personal', icon: 'wallet', order: 10 },
  search: walletSearchSchema,
  load: () => import('./page.tsx'),
})
