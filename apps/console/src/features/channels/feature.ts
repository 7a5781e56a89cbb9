import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { findChannels } from './find.ts'
import { channelSearchSchema } from './search.ts'

export const channels = defineFeature({
  name: 'channels',
  path: paths.channels,
  access: 'admin',
  layout: 'console',
  title: { en: 'Channels', zh: '渠道管理' },
  menu: { section: 'admin', icon: 'route', order: 10 },
  search: channelSearchSchema,
  find: findChannels,
  load: () => import('./page.tsx'),
})
