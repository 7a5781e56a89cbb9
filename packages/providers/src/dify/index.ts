import { vendorFormat } from '../define/conversations.ts'
import { keyLike } from '../define/credentials.ts'
import { defineProvider } from '../define/define-provider.ts'
import { difyChat } from './codec.ts'

/**
 * A channel key belongs to one application; the model name is only a label.
 * https://docs.dify.ai/api-reference
 */
export const dify = defineProvider({
  id: 'dify',
  type: 37,
  label: 'Dify',
  baseUrl: 'https://api.dify.ai',
  credentials: keyLike('app-…'),
  endpoints: { own: [vendorFormat(difyChat, { path: '/v1/chat-messages' })] },
})
