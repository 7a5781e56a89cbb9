import { balanceAt } from './build/balance.ts'
import { apiKey, bearer } from './build/credentials.ts'
import { defineProvider } from './build/define.ts'
import { openaiModels } from './build/model-list.ts'
import { openaiModelNames } from './build/openai-models.ts'
import { openai, openaiChat, openaiRealtime } from './build/openai.ts'
import { joinUrl } from './build/url.ts'
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
  balance: {
    ...balanceAt('/api/report/getUserOverview', 'data.totalPoints', 'points'),
    // The vendor reports at its front door, not where calls go.
    url: ({ baseUrl }) =>
      joinUrl(baseUrl.replace('://api.aiproxy.io', '://aiproxy.io'), '/api/report/getUserOverview'),
    sign: ({ key }) => ({ 'api-key': key }),
  },
})
