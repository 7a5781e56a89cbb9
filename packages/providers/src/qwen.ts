import { apiKey, bearer } from './build/credentials.ts'
import { defineProvider, names } from './build/define.ts'
import { openaiModels } from './build/model-list.ts'
import { openaiChat, openaiCompletions, openaiEmbeddings } from './build/openai.ts'
import { olderOutputLimit } from './quirks/output-limit.ts'
import { clampTopP } from './quirks/sampling.ts'

/** https://help.aliyun.com/zh/model-studio/compatibility-of-openai-with-dashscope */
export const qwen = defineProvider({
  id: 'qwen',
  type: 17,
  label: 'Qwen',
  baseUrl: 'https://dashscope.aliyuncs.com',
  credentials: apiKey,
  otherLabel: { en: 'Plugins (X-DashScope-Plugin)', zh: '插件参数 (X-DashScope-Plugin)' },
  sign: bearer(({ other }, { isStream }) => ({
    ...(isStream ? { 'x-dashscope-sse': 'enable' } : {}),
    ...(other === '' ? {} : { 'x-dashscope-plugin': other }),
  })),
  speaks: {
    chat: [
      openaiChat({
        path: '/compatible-mode/v1/chat/completions',
        quirks: [clampTopP({ min: 0.01, max: 0.99 }), olderOutputLimit],
      }),
    ],
    completions: [openaiCompletions({ path: '/compatible-mode/v1/completions' })],
    embeddings: [openaiEmbeddings({ path: '/compatible-mode/v1/embeddings' })],
  },
  models: names(
    'qwen-turbo qwen-plus qwen-max qwen-max-longcontext text-embedding-v1 qwq-32b qwen3-235b-a22b gte-rerank-v2',
  ),
  modelList: openaiModels('/compatible-mode/v1/models'),
})
