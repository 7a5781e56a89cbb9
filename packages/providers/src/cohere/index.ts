import { vendorFormat } from '../define/conversations.ts'
import { defineProvider, names } from '../define/define-provider.ts'
import { readNames } from '../define/model-list.ts'
import { openaiEmbeddings, openaiRerank } from '../define/openai.ts'
import { joinUrl } from '../define/url.ts'
import { cohereChat } from './codec.ts'
import { readEmbed, writeEmbed } from './embeddings.ts'
import { defaults, onBody, type Body } from '../quirks/body.ts'

/** https://docs.cohere.com/reference/chat */
export const cohere = defineProvider({
  id: 'cohere',
  type: 34,
  label: 'Cohere',
  baseUrl: 'https://api.cohere.ai',
  endpoints: {
    own: [vendorFormat(cohereChat, { path: '/v2/chat' })],
    embeddings: [
      openaiEmbeddings({ path: '/v2/embed', quirks: [onBody(writeEmbed)], adjustAnswer: readEmbed }),
    ],
    rerank: [openaiRerank({ quirks: [onBody(atLeastOne), defaults({ return_documents: true })] })],
  },
  models: names(`
    command-a-03-2025 command-r command-r-plus command-r-08-2024 command-r-plus-08-2024 c4ai-aya-23-35b
    c4ai-aya-23-8b embed-v4.0 embed-multilingual-v3.0 embed-english-v3.0 command-light command-light-nightly command command-nightly
  `),
  modelList: {
    url: ({ baseUrl }) => joinUrl(baseUrl, '/v1/models?page_size=1000'),
    read: (body) => readNames(body, 'models', 'name'),
  },
})

/** In new-api and its forks `top_n: 0` means one result; the vendor refuses 0. */
function atLeastOne(body: Body): Body {
  return body['top_n'] === 0 ? { ...body, top_n: 1 } : body
}
