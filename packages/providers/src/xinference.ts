import { optionalKey } from './define/credentials.ts'
import { defineProvider, names } from './define/define-provider.ts'
import { openaiModels } from './define/model-list.ts'
import { openai, openaiChat, openaiRerank } from './define/openai.ts'
import { olderOutputLimit } from './quirks/output-limit.ts'
import { rerankDocuments } from './quirks/rerank-documents.ts'

/** https://inference.readthedocs.io */
export const xinference = defineProvider({
  id: 'xinference',
  type: 47,
  label: 'Xinference',
  address: { example: 'http://localhost:9997' },
  credentials: optionalKey,
  endpoints: {
    ...openai(['completions', 'embeddings'], (path) => ({ path, streamOptions: false })),
    rerank: [openaiRerank({ adjustAnswer: rerankDocuments })],
    chat: [openaiChat({ quirks: [olderOutputLimit], streamOptions: false })],
  },
  models: names('bge-reranker-v2-m3 jina-reranker-v2'),
  modelList: openaiModels(),
})
