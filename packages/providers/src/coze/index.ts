import { problem } from '@tollgate/problems/problem'
import { vendorFormat } from '../define/conversations.ts'
import { keyLike } from '../define/credentials.ts'
import { defineProvider, names } from '../define/define-provider.ts'
import { cozeChat } from './codec.ts'
import { cozeFrames } from './frames.ts'
import type { Outgoing, Upstream } from '../provider.ts'

/**
 * A channel key belongs to one bot; the model name is only a label.
 * https://www.coze.cn/open/docs/developer_guides/chat_v3
 */
export const coze = defineProvider({
  id: 'coze',
  type: 49,
  label: 'Coze',
  baseUrl: 'https://api.coze.cn',
  credentials: keyLike('pat_…'),
  other: { label: { en: 'Bot ID', zh: '智能体 ID' }, staysAtOrigin: true },
  endpoints: {
    own: [
      vendorFormat(cozeChat, {
        path: '/v3/chat',
        openFrames: cozeFrames,
        streams: 'always',
        quirks: [ofBot],
      }),
    ],
  },
  models: names(`
    moonshot-v1-8k moonshot-v1-32k moonshot-v1-128k Baichuan4 abab6.5s-chat-pro glm-4-0520 qwen-max deepseek-r1
    deepseek-v3 deepseek-r1-distill-qwen-32b deepseek-r1-distill-qwen-7b step-1v-8k step-1.5v-mini Doubao-pro-32k
    Doubao-pro-256k Doubao-lite-128k Doubao-lite-32k Doubao-vision-lite-32k Doubao-vision-pro-32k
    Doubao-1.5-pro-vision-32k Doubao-1.5-lite-32k Doubao-1.5-pro-32k Doubao-1.5-thinking-pro Doubao-1.5-pro-256k
  `),
})

function ofBot(outgoing: Outgoing, { other }: Upstream): Outgoing {
  if (other === '') throw problem('channel_other_missing', { label: 'Bot ID' })
  return { ...outgoing, body: { bot_id: other, ...outgoing.body } }
}
