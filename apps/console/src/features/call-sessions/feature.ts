import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { callSessionSearchSchema } from './search.ts'

export const callSessions = defineFeature({
  name: 'call-sessions',
  path: paths.callSessions,
  access: 'user',
  layout: 'console',
  title: { en: 'Sessions', zh: '会话' },
  menu: { section: 'console', icon: 'chats', order: 35 },
  search: callSessionSearchSchema,
  load: () => import('./page.tsx'),
})
