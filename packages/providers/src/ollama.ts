import { anyKey, bearer } from './build/credentials.ts'
import { defineProvider } from './build/define.ts'
import { readNames } from './build/model-list.ts'
import { openai, openaiChat } from './build/openai.ts'
import { joinUrl } from './build/url.ts'
import { olderOutputLimit } from './quirks/output-limit.ts'

/** In its compatible mode: https://github.com/ollama/ollama/blob/main/docs/openai.md */
export const ollama = defineProvider({
  id: 'ollama',
  type: 4,
  label: 'Ollama',
  baseUrl: 'http://localhost:11434',
  credentials: anyKey,
  sign: bearer(),
  speaks: {
    ...openai(['completions', 'embeddings']),
    chat: [openaiChat({ quirks: [olderOutputLimit] })],
  },
  models: ['llama3-7b'],
  modelList: {
    url: ({ baseUrl }) => joinUrl(baseUrl, '/api/tags'),
    read: (body) => readNames(body, 'models', 'name'),
  },
})
