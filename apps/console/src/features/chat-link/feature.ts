import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'

export const chatLink = defineFeature({
  name: 'chat-link',
  path: paths.chat,
  access: 'user',
  layout: 'site',
  title: { en: 'Chat', zh: '聊天' },
  load: () => import('./frame/page.tsx'),
})

/** Redirects to the first chat front-end in the list. */
export const chatRedirect = defineFeature({
  ...chatLink,
  name: 'chat-redirect',
  path: '/chat2link',
  load: () => import('./redirect/page.tsx'),
})
