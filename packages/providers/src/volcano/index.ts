import { defineProvider, names } from '../define/define-provider.ts'
import { withPictures } from '../define/edit-images.ts'
import { openai, openaiChat, openaiEmbeddings, openaiImageEdits } from '../define/openai.ts'
import { joinUrl } from '../define/url.ts'
import { onBody } from '../quirks/body.ts'
import { modelSuffix } from '../quirks/model-suffix.ts'
import { arkUpstream } from '../tasks/ark.ts'
import { ARK_URL, volcanoSpeech } from './speech.ts'

/**
 * https://www.volcengine.com/docs/82379. Models whose names begin with `bot` are applications at a separate
 * path.
 */
export const volcano = defineProvider({
  id: 'volcano',
  type: 45,
  label: 'Volcano Engine (Doubao)',
  baseUrl: ARK_URL,
  tasks: arkUpstream,
  endpoints: {
    ...openai(['images', 'responses', 'rerank'], (path) => ({ path: path.replace('/v1', '/api/v3') })),
    chat: [
      openaiChat({
        url: ({ model }, { baseUrl }) =>
          joinUrl(baseUrl, `/api/v3${model.startsWith('bot') ? '/bots' : ''}/chat/completions`),
        quirks: [
          modelSuffix({
            models: /^deepseek/,
            suffixes: { thinking: (body) => ({ ...body, thinking: { type: 'enabled' } }) },
          }),
        ],
      }),
    ],
    // Images are generated and edited at the same path. https://www.volcengine.com/docs/82379/1541523
    'image-edits': [
      openaiImageEdits({
        path: '/api/v3/images/generations',
        takesForms: false,
        quirks: [onBody(withPictures)],
      }),
    ],
    speech: [volcanoSpeech],
    embeddings: [openaiEmbeddings({ path: '/api/v3/embeddings' })],
  },
  models: names(`
    Doubao-pro-128k Doubao-pro-32k Doubao-pro-4k Doubao-lite-128k Doubao-lite-32k Doubao-lite-4k Doubao-embedding
    doubao-seedream-4-0-250828 seedream-4-0-250828 doubao-seedance-1-0-pro-250528 seedance-1-0-pro-250528
    doubao-seed-1-6-thinking-250715 seed-1-6-thinking-250715
  `),
})
