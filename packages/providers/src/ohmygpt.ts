import { apiKey, bearer } from './build/credentials.ts'
import { defineProvider } from './build/define.ts'
import { openaiModels } from './build/model-list.ts'
import { openaiModelNames } from './build/openai-models.ts'
import { openai, openaiChat, openaiRealtime } from './build/openai.ts'
import { reasoningModels } from './quirks/reasoning-models.ts'

export const ohmygpt = defineProvider({
  id: 'ohmygpt',
  type: 7,
  label: 'OhMyGPT',
  baseUrl: 'https://api.ohmygpt.com',
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
