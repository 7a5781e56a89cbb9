import { defineProvider, names } from './define/define-provider.ts'
import { openaiChat, openaiEmbeddings } from './define/openai.ts'
import { olderOutputLimit } from './quirks/output-limit.ts'

export const ai360 = defineProvider({
  id: 'ai360',
  type: 19,
  label: '360',
  baseUrl: 'https://api.360.cn',
  endpoints: {
    chat: [openaiChat({ quirks: [olderOutputLimit], streamOptions: false })],
    embeddings: [openaiEmbeddings()],
  },
  models: names(`
    360gpt-turbo 360gpt-turbo-responsibility-8k 360gpt-pro 360gpt2-pro 360GPT_S2_V9
    embedding-bert-512-v1 embedding_s1_v1 semantic_similarity_s1_v1
  `),
})
