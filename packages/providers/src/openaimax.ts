import { apiKey, bearer } from './build/credentials.ts'
import { defineProvider } from './build/define.ts'
import { openaiModels } from './build/model-list.ts'
import { openaiModelNames } from './build/openai-models.ts'
import { openai, openaiChat, openaiRealtime } from './build/openai.ts'
import { reasoningModels } from './quirks/reasoning-models.ts'

export const openaimax = defineProvider({
  id: 'openaimax',
  type: 6,
  label: 'OpenAIMax',
  baseUrl: 'https://api.openaimax.com',
  credentials: apiKey,
  sign: bearer(),
  speaks: {
    ...openai([
      'completions',
      'embeddings',
      'moderations',
      'images',
      'image-edits',
      'image-variations',
      'speech',
      'transcriptions',
      'translations',
      'rerank',
    ]),
    realtime: [openaiRealtime()],
    chat: [openaiChat({ quirks: reasoningModels })],
  },
  models: openaiModelNames,
  modelList: openaiModels(),
})
