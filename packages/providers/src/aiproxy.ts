import { apiKey, bearer } from './build/credentials.ts'
import { defineProvider } from './build/define.ts'
import { openaiModels } from './build/model-list.ts'
import { openaiModelNames } from './build/openai-models.ts'
import { openai, openaiChat } from './build/openai.ts'
import { reasoningModels } from './quirks/reasoning-models.ts'

export const aiproxy = defineProvider({
  id: 'aiproxy',
  type: 10,
  label: 'AI Proxy',
  baseUrl: 'https://api.aiproxy.io',
  credentials: apiKey,
  sign: bearer(),
  speaks: {
    ...openai([
      'completions',
      'embeddings',
      'moderations',
      'images',
      'speech',
      'transcriptions',
      'translations',
    ]),
    chat: [openaiChat({ quirks: reasoningModels })],
  },
  models: openaiModelNames,
  modelList: openaiModels(),
})
