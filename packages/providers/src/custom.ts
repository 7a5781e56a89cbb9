import { dashboardBalance } from './define/balance.ts'
import { optionalKey } from './define/credentials.ts'
import { defineProvider } from './define/define-provider.ts'
import { openaiModels } from './define/model-list.ts'
import { openaiModelNames } from './define/openai-models.ts'
import { openai, type OpenAiEndpoint } from './define/openai.ts'
import { withModel } from './define/url.ts'

const CHAT_ENDING = /\/chat\/completions$/

/** The base URL is the full URL of a call; `{model}` in it is replaced with the model. */
export const custom = defineProvider({
  id: 'custom',
  type: 8,
  label: 'Custom',
  address: {
    help: {
      en: 'The full address of a call, path included; {model} stands for the model.',
      zh: '调用的完整地址，包含路径；{model} 代表模型。',
    },
    example: 'https://upstream.example.com/models/{model}/chat/completions',
  },
  credentials: optionalKey,
  endpoints: openai(
    [
      'chat',
      'completions',
      'embeddings',
      'moderations',
      'images',
      'speech',
      'transcriptions',
      'translations',
      'rerank',
    ],
    wherever,
  ),
  models: openaiModelNames,
  modelList: {
    ...openaiModels(),
    url: (upstream) =>
      CHAT_ENDING.test(upstream.baseUrl)
        ? upstream.baseUrl.replace(CHAT_ENDING, '/models')
        : openaiModels().url(upstream),
  },
  balance: dashboardBalance,
})

function wherever(): OpenAiEndpoint {
  return {
    url: ({ model }, { baseUrl }) => withModel(baseUrl, model),
    streamOptions: false,
    takesSearch: 'by-model',
  }
}
