import type { Provider } from '../provider.ts'
import { anthropicBearer, anthropicMessages } from './anthropic.ts'
import { geminiContent } from './conversations.ts'
import { besideChat, openai, openaiChat, openaiRealtime } from './openai.ts'

/** What another gateway of the family serves: every dialect at its own place, with one key. What a name means is its matter. */
export const everyDialect: Provider['endpoints'] = {
  chat: [openaiChat({ takesSearch: 'always' })],
  messages: [anthropicMessages({ authHeaders: anthropicBearer })],
  generate: [geminiContent()],
  realtime: [openaiRealtime()],
  ...openai(['responses', ...besideChat, 'search']),
}
