import { vendorFormat } from '../define/conversations.ts'
import { optionalKey } from '../define/credentials.ts'
import { defineProvider } from '../define/define-provider.ts'
import { readNames } from '../define/model-list.ts'
import { ndjsonFrames } from '../define/frames.ts'
import { openai } from '../define/openai.ts'
import { joinUrl } from '../define/url.ts'
import { ollamaChat } from './codec.ts'

/**
 * Uses the native chat API, which supports more than the compatible one: how much to think, how long the
 * model stays loaded, and any `options` through the channel's parameter override.
 * https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export const ollama = defineProvider({
  id: 'ollama',
  type: 4,
  label: 'Ollama',
  baseUrl: 'http://localhost:11434',
  credentials: optionalKey,
  endpoints: {
    ...openai(['completions', 'embeddings']),
    own: [vendorFormat(ollamaChat, { path: '/api/chat', openFrames: ndjsonFrames })],
  },
  models: ['llama3-7b'],
  modelList: {
    url: ({ baseUrl }) => joinUrl(baseUrl, '/api/tags'),
    read: (body) => readNames(body, 'models', 'name'),
  },
})
