import { vendorFormat } from './define/conversations.ts'
import { keyParts } from './define/credentials.ts'
import { defineProvider, names } from './define/define-provider.ts'
import { openaiEmbeddings } from './define/openai.ts'
import { joinUrl, segment, type UrlWriter } from './define/url.ts'
import { ernieChat } from './ernie/codec.ts'
import { readVectors, writeVectors } from './ernie/embeddings.ts'
import { erniePlace } from './ernie/models.ts'
import { onBody } from './quirks/body.ts'
import { baiduTokens } from './sign/baidu-token.ts'

/** https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t */
export const baidu = defineProvider({
  id: 'baidu',
  type: 15,
  label: 'Baidu ERNIE',
  baseUrl: 'https://aip.baidubce.com',
  credentials: keyParts('APIKey|SecretKey', 2),
  tokens: baiduTokens,
  authHeaders: () => ({}),
  endpoints: {
    own: [vendorFormat(ernieChat, { url: at('chat') })],
    embeddings: [
      openaiEmbeddings({ url: at('embeddings'), quirks: [onBody(writeVectors)], adjustAnswer: readVectors }),
    ],
  },
  models: names(`
    ERNIE-4.0-8K ERNIE-3.5-8K ERNIE-3.5-8K-0205 ERNIE-3.5-8K-1222 ERNIE-Bot-8K ERNIE-3.5-4K-0205 ERNIE-Speed-8K
    ERNIE-Speed-128K ERNIE-Lite-8K-0922 ERNIE-Lite-8K-0308 ERNIE-Tiny-8K BLOOMZ-7B Embedding-V1 bge-large-zh
    bge-large-en tao-8k
  `),
})

function at(kind: 'chat' | 'embeddings'): UrlWriter {
  return ({ model }, { baseUrl, accessToken = '' }) =>
    joinUrl(
      baseUrl,
      `/rpc/2.0/ai_custom/v1/wenxinworkshop/${kind}/${segment(erniePlace(model))}?access_token=${segment(accessToken)}`,
    )
}
