import { readLlamaUsage } from '@tollgate/dialects/openai/usage'
import { apiKey, bearer } from './build/credentials.ts'
import { defineProvider } from './build/define.ts'
import { openaiModels } from './build/model-list.ts'
import { openaiModelNames } from './build/openai-models.ts'
import { openai as at, openaiChat, openaiPaths, openaiResponses } from './build/openai.ts'
import { behindGateway } from './build/url.ts'
import { reasoningModels } from './quirks/reasoning-models.ts'

/** Also every server that calls itself compatible, llama.cpp's among them. */
export const openai = defineProvider({
  id: 'openai',
  type: 1,
  label: 'OpenAI',
  baseUrl: 'https://api.openai.com',
  credentials: apiKey,
  sign: bearer(({ organization }) => (organization === '' ? {} : { 'openai-organization': organization })),
  speaks: {
    ...at(
      [
        'completions',
        'embeddings',
        'moderations',
        'images',
        'image-edits',
        'speech',
        'transcriptions',
        'translations',
        'rerank',
      ],
      (path) => ({ url: behindGateway(path, '/v1'), readUsage: readLlamaUsage }),
    ),
    responses: [openaiResponses({ url: behindGateway(openaiPaths.responses, '/v1') })],
    chat: [
      openaiChat({
        url: behindGateway(openaiPaths.chat, '/v1'),
        quirks: reasoningModels,
        readUsage: readLlamaUsage,
      }),
    ],
  },
  models: openaiModelNames,
  modelList: openaiModels(),
})
