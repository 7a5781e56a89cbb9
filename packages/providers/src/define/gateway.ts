import type { Provider } from '../provider.ts'
import { anthropicBearer, anthropicMessages } from './anthropic.ts'
import { geminiContent } from './conversations.ts'
import { legacyOperations, openai, openaiChat, openaiRealtime } from './openai.ts'

/**
 * The endpoints of another gateway, such as new-api: every API format at its usual path, with one key. The
 * gateway itself decides what a model name means.
 */
export const gatewayEndpoints: Provider['endpoints'] = {
  chat: [openaiChat({ takesSearch: 'always' })],
  messages: [anthropicMessages({ authHeaders: anthropicBearer })],
  generate: [geminiContent()],
  realtime: [openaiRealtime()],
  ...openai(['responses', ...legacyOperations, 'search']),
}
