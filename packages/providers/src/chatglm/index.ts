import { chatglmChat } from './codec.ts'
import { chatglmFrames } from './frames.ts'
import { vendorFormat } from '../define/conversations.ts'
import { zhipuKey } from '../define/credentials.ts'
import { defineProvider, names } from '../define/define-provider.ts'
import { joinUrl, segment } from '../define/url.ts'
import { clampTopP } from '../quirks/sampling.ts'
import { readZhipuKey, zhipuJwt } from '../sign/zhipu-jwt.ts'

/** https://open.bigmodel.cn/dev/api (third version) */
export const chatglm = defineProvider({
  id: 'chatglm',
  type: 16,
  label: 'Zhipu ChatGLM',
  baseUrl: 'https://open.bigmodel.cn',
  credentials: zhipuKey,
  authHeaders: () => ({}),
  signRequest: (_signable, { key }, nowMs): Record<string, string> => {
    const parts = readZhipuKey(key)
    return parts === undefined ? {} : { authorization: zhipuJwt(parts, nowMs) }
  },
  endpoints: {
    own: [
      vendorFormat(chatglmChat, {
        url: ({ model, isStream }, { baseUrl }) =>
          joinUrl(baseUrl, `/api/paas/v3/model-api/${segment(model)}/${isStream ? 'sse-invoke' : 'invoke'}`),
        openFrames: chatglmFrames,
        quirks: [clampTopP({ max: 0.99 })],
      }),
    ],
  },
  models: names('chatglm_turbo chatglm_pro chatglm_std chatglm_lite'),
})
