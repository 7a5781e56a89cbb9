import { defineProvider, names } from './define/define-provider.ts'
import { openaiModels } from './define/model-list.ts'
import { openaiChat } from './define/openai.ts'
import { onlyMessageMembers } from './quirks/messages.ts'
import { olderOutputLimit } from './quirks/output-limit.ts'
import { clampTopP } from './quirks/sampling.ts'

/** https://docs.perplexity.ai/api-reference/chat-completions */
export const perplexity = defineProvider({
  id: 'perplexity',
  type: 27,
  label: 'Perplexity',
  baseUrl: 'https://api.perplexity.ai',
  endpoints: {
    chat: [
      openaiChat({
        path: '/chat/completions',
        quirks: [clampTopP({ max: 0.99 }), onlyMessageMembers('role', 'content'), olderOutputLimit],
        streamOptions: false,
        takesSearch: 'always',
      }),
    ],
  },
  models: names(`
    sonar sonar-pro sonar-reasoning
    llama-3-sonar-small-32k-chat llama-3-sonar-small-32k-online llama-3-sonar-large-32k-chat
    llama-3-sonar-large-32k-online llama-3-8b-instruct llama-3-70b-instruct mixtral-8x7b-instruct
  `),
  modelList: openaiModels(),
})
