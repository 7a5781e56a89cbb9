import { problem } from '@tollgate/problems/problem'
import { vendorFormat } from '../define/conversations.ts'
import { defineProvider } from '../define/define-provider.ts'
import { libraryChat } from './codec.ts'
import type { Outgoing, Upstream } from '../provider.ts'

/** https://docs.aiproxy.io/dev/library */
export const library = defineProvider({
  id: 'library',
  type: 21,
  label: 'AI Proxy library',
  baseUrl: 'https://api.aiproxy.io',
  other: { label: { en: 'Library ID', zh: '知识库 ID' }, staysAtOrigin: true },
  endpoints: { own: [vendorFormat(libraryChat, { path: '/api/library/ask', quirks: [inLibrary] })] },
})

function inLibrary(outgoing: Outgoing, { other }: Upstream): Outgoing {
  if (other === '') throw problem('channel_other_missing', { label: 'Library ID' })
  return { ...outgoing, body: { ...outgoing.body, libraryId: other } }
}
