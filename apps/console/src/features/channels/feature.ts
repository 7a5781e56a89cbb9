import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { findChannels } from './find.ts'
import { channelSearchSchema } from './search.ts'

const form = {
  access: 'admin',
  layout: 'console',
  search: channelSearchSchema,
  load: () => import('./page.tsx'),
} as const

/**
 * The addresses that consoles of new-api use for the channel form. The form opens over the list, and closing
 * it returns to the list.
 */
export const channelAdd = defineFeature({
  ...form,
  name: 'channel-add',
  path: '/channel/add',
  title: { en: 'New channel', zh: '新建渠道' },
})

export const channelEdit = defineFeature({
  ...form,
  name: 'channel-edit',
  path: '/channel/edit/$id',
  title: { en: 'Edit channel', zh: '编辑渠道' },
})

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
