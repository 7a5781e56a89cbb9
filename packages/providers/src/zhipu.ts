import { anthropicBearer, anthropicMessages } from './define/anthropic.ts'
import { recordAt, textAt } from '@tollgate/dialects/json'
import { cachedIn } from '@tollgate/dialects/openai-usage'
import { keyLike } from './define/credentials.ts'
import { defineProvider, names } from './define/define-provider.ts'
import { openaiModels } from './define/model-list.ts'
import { openaiChat, openaiEmbeddings, openaiImages } from './define/openai.ts'
import { onBody, onlyMembers, type Body } from './quirks/body.ts'
import { onParts } from './quirks/messages.ts'
import { olderOutputLimit } from './quirks/output-limit.ts'
import { clampTopP } from './quirks/sampling.ts'

/**
 * https://docs.bigmodel.cn/api-reference. The plain key works as a bearer token, so no JWT is created from
 * it.
 */
export const zhipu = defineProvider({
  id: 'zhipu',
  type: 26,
  label: 'GLM-4V',
  baseUrl: 'https://open.bigmodel.cn',
  credentials: keyLike('id.secret'),
  endpoints: {
    messages: [anthropicMessages({ path: '/api/anthropic/v1/messages', authHeaders: anthropicBearer })],
    chat: [
      openaiChat({
        path: '/api/paas/v4/chat/completions',
        quirks: [
          olderOutputLimit,
          onlyMembers(
            ...names(`
            model stream stream_options messages temperature top_p max_tokens stop tools
            tool_choice thinking response_format do_sample user_id request_id tool_stream
          `),
          ),
          clampTopP({ max: 0.99 }),
          onBody((body) => (typeof body['stop'] === 'string' ? { ...body, stop: [body['stop']] } : body)),
          onParts(withBareImage),
        ],
        readUsage: cachedIn('cached_tokens', 'prompt_cache_hit_tokens'),
      }),
    ],
    embeddings: [openaiEmbeddings({ path: '/api/paas/v4/embeddings' })],
    images: [
      openaiImages({
        path: '/api/paas/v4/images/generations',
        quirks: [onlyMembers('model', 'prompt', 'size', 'quality', 'user_id', 'watermark_enabled')],
      }),
    ],
  },
  models: names(`
    glm-4 glm-4v glm-3-turbo glm-4-alltools glm-4-plus glm-4-0520 glm-4-air glm-4-airx glm-4-long glm-4-flash
    glm-4v-plus glm-4.6 glm-4.6v glm-4.7 glm-4.7-flash glm-5
  `),
  modelList: openaiModels('/api/paas/v4/models'),
})

/** The vendor accepts a URL or bare base64, but not a data URL. */
function withBareImage(part: Body): Body {
  const image = recordAt(part, 'image_url')
  const url = image === undefined ? undefined : textAt(image, 'url')
  const bare = url?.replace(/^data:[^,]{0,64};base64,/, '')
  return bare === undefined || bare === url ? part : { ...part, image_url: { ...image, url: bare } }
}
