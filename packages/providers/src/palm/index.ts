import { vendorFormat } from '../define/conversations.ts'
import { keyLike } from '../define/credentials.ts'
import { defineProvider } from '../define/define-provider.ts'
import { palmChat } from './codec.ts'

/** The vendor has shut the API down; only compatible servers still use it. */
export const palm = defineProvider({
  id: 'palm',
  type: 11,
  label: 'Google PaLM 2',
  baseUrl: 'https://generativelanguage.googleapis.com',
  credentials: keyLike('AIza…'),
  authHeaders: ({ key }) => ({ 'x-goog-api-key': key }),
  endpoints: {
    own: [
      vendorFormat(palmChat, { path: '/v1beta2/models/chat-bison-001:generateMessage', streams: 'never' }),
    ],
  },
  models: ['PaLM-2'],
})
