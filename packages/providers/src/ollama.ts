import { vendorFormat } from './build/conversations.ts'
import { optionalKey, bearer } from './build/credentials.ts'
import { defineProvider } from './build/define.ts'
import { readNames } from './build/model-list.ts'
import { ndjsonFrames } from './build/frames.ts'
import { openai } from './build/openai.ts'
import { joinUrl } from './build/url.ts'
import { ollamaChat } from './ollama/codec.ts'

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
  authHeaders: bearer(),
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
