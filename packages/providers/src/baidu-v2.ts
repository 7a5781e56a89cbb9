import { keyPart, keyParts } from './define/credentials.ts'
import { defineProvider, names } from './define/define-provider.ts'
import { openai, openaiChat, openaiEmbeddings } from './define/openai.ts'
import { modelSuffix } from './quirks/model-suffix.ts'

const WEB_SEARCH = { enable: true, enable_citation: true, enable_trace: true, enable_status: false }

/** https://cloud.baidu.com/doc/WENXINWORKSHOP/s/Fm2vrveyu */
export const baiduV2 = defineProvider({
  id: 'baidu-v2',
  type: 46,
  label: 'Baidu V2',
  baseUrl: 'https://qianfan.baidubce.com',
  credentials: keyParts('token or token|appid', 1, 2),
  authHeaders: ({ key }) => {
    const appId = keyPart(key, 1)
    return { authorization: `Bearer ${keyPart(key, 0)}`, ...(appId === '' ? {} : { appid: appId }) }
  },
  endpoints: {
    ...openai(['images', 'image-edits', 'rerank'], (path) => ({ path: path.replace('/v1', '/v2') })),
    chat: [
      openaiChat({
        path: '/v2/chat/completions',
        quirks: [modelSuffix({ suffixes: { search: (body) => ({ web_search: WEB_SEARCH, ...body }) } })],
      }),
    ],
    embeddings: [openaiEmbeddings({ path: '/v2/embeddings' })],
  },
  models: names(`
    ernie-4.0-8k ernie-4.0-8k-latest ernie-4.0-8k-preview ernie-4.0-turbo-8k ernie-4.0-turbo-8k-latest
    ernie-4.0-turbo-8k-preview ernie-4.0-turbo-128k ernie-3.5-8k ernie-3.5-8k-preview ernie-3.5-128k
    ernie-speed-8k ernie-speed-128k ernie-speed-pro-128k ernie-lite-8k ernie-lite-pro-128k ernie-tiny-8k
    ernie-char-8k ernie-char-fiction-8k ernie-novel-8k
    deepseek-v3 deepseek-r1 deepseek-r1-distill-qwen-32b deepseek-r1-distill-qwen-14b
  `),
})
