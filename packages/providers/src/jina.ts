import { keyLike } from './define/credentials.ts'
import { defineProvider, names } from './define/define-provider.ts'
import { openaiModels } from './define/model-list.ts'
import { openai, openaiEmbeddings } from './define/openai.ts'
import { omit, onBody } from './quirks/body.ts'

/** https://api.jina.ai/redoc */
export const jina = defineProvider({
  id: 'jina',
  type: 38,
  label: 'Jina',
  baseUrl: 'https://api.jina.ai',
  credentials: keyLike('jina_…'),
  endpoints: {
    ...openai(['rerank']),
    embeddings: [openaiEmbeddings({ quirks: [onBody((body) => omit(body, 'encoding_format'))] })],
  },
  models: names('jina-clip-v1 jina-reranker-v2-base-multilingual jina-reranker-m0'),
  modelList: openaiModels(),
})
