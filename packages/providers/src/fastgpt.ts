import { keyLike } from './define/credentials.ts'
import { defineProvider } from './define/define-provider.ts'
import { openaiChat } from './define/openai.ts'

/**
 * A channel key belongs to one application, so the model name is only a label.
 * https://doc.fastgpt.io/docs/development/openapi/chat
 */
export const fastgpt = defineProvider({
  id: 'fastgpt',
  type: 22,
  label: 'FastGPT',
  baseUrl: 'https://fastgpt.run/api/openapi',
  credentials: keyLike('fastgpt-…'),
  endpoints: { chat: [openaiChat({ streamOptions: false })] },
})
