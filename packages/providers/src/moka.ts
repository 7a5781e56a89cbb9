import { defineProvider, names } from './define/define-provider.ts'
import { openaiEmbeddings } from './define/openai.ts'
import { onBody, onlyMembers } from './quirks/body.ts'

export const moka = defineProvider({
  id: 'moka',
  type: 44,
  label: 'M3E',
  baseUrl: 'https://api.moka.ai',
  endpoints: {
    embeddings: [
      openaiEmbeddings({
        path: '/embeddings',
        quirks: [
          onlyMembers('model', 'input'),
          onBody((body) => (typeof body['input'] === 'string' ? { ...body, input: [body['input']] } : body)),
        ],
      }),
    ],
  },
  models: names('m3e-large m3e-base m3e-small'),
})
