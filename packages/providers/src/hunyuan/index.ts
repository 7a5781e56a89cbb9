import { vendorFormat } from '../define/conversations.ts'
import { keyPart, keyParts } from '../define/credentials.ts'
import { defineProvider, names } from '../define/define-provider.ts'
import { openaiModels } from '../define/model-list.ts'
import { openaiChat } from '../define/openai.ts'
import { joinUrl } from '../define/url.ts'
import { hunyuanChat } from './codec.ts'
import type { Provider } from '../provider.ts'
import { tc3Authorization, tc3Timestamp } from '../sign/tc3.ts'

const BASE_URL = 'https://hunyuan.tencentcloudapi.com'
const HUB_URL = 'https://tokenhub.tencentmaas.com'

/**
 * https://cloud.tencent.com/document/api/1729/105701. A key of one part belongs to the vendor's newer API,
 * TokenHub.
 */
export const hunyuan: Provider = defineProvider({
  id: 'hunyuan',
  type: 23,
  label: 'Tencent Hunyuan',
  baseUrl: BASE_URL,
  credentials: keyParts('AppId|SecretId|SecretKey', 1, 3),
  forChannel: ({ key }) => (key.includes('|') ? hunyuan : tokenHub),
  authHeaders: () => ({ 'x-tc-action': 'ChatCompletions', 'x-tc-version': '2023-09-01' }),
  signRequest: ({ url, body }, { key }, nowMs) => ({
    'x-tc-timestamp': tc3Timestamp(nowMs),
    authorization: tc3Authorization({
      secretId: keyPart(key, 1),
      secretKey: keyPart(key, 2),
      service: 'hunyuan',
      headers: {
        'content-type': 'application/json',
        host: new URL(url).host,
        'x-tc-action': 'ChatCompletions',
      },
      body,
      nowMs,
    }),
  }),
  endpoints: { own: [vendorFormat(hunyuanChat, { path: '/' })] },
  models: names(
    'hunyuan-lite hunyuan-standard hunyuan-standard-256K hunyuan-pro hunyuan-turbos-latest hunyuan-t1-latest',
  ),
})

/** https://cloud.tencent.com/document/product/1823 */
const tokenHub = defineProvider({
  id: 'hunyuan',
  type: 23,
  label: 'Tencent TokenHub',
  baseUrl: HUB_URL,
  credentials: hunyuan.credentials,
  endpoints: {
    chat: [openaiChat({ url: (_outgoing, upstream) => inHub('/v1/chat/completions', upstream) })],
  },
  models: hunyuan.models,
  modelList: { ...openaiModels(), url: (upstream) => inHub('/v1/models', upstream) },
})

/** A channel may still have the base URL of the older API; TokenHub's is used instead. */
function inHub(path: string, { baseUrl }: { readonly baseUrl: string }): string {
  return joinUrl(baseUrl === BASE_URL ? HUB_URL : baseUrl, path)
}
