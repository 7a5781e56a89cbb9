import { balanceAt } from './build/balance.ts'
import { apiKey, bearer } from './build/credentials.ts'
import { defineProvider } from './build/define.ts'
import { openaiModels } from './build/model-list.ts'
import { openaiModelNames } from './build/openai-models.ts'
import { openai, openaiChat, openaiRealtime } from './build/openai.ts'
import { reasoningModels } from './quirks/reasoning-models.ts'

export const api2gpt = defineProvider({
  id: 'api2gpt',
  type: 12,
  label: 'API2GPT',
  baseUrl: 'https://api.api2gpt.com',
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
  balance: balanceAt('/dashboard/billing/credit_grants', 'total_remaining'),
})
