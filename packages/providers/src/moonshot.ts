import { anthropicBearer, anthropicMessages } from './define/anthropic.ts'
import { readMoonshotUsage } from '@tollgate/dialects/openai-usage'
import { balanceAt } from './define/balance.ts'
import { defineProvider, names } from './define/define-provider.ts'
import { openaiModels } from './define/model-list.ts'
import { openai, openaiChat } from './define/openai.ts'
import { forModels, isTold, onBody } from './quirks/body.ts'
import { olderOutputLimit } from './quirks/output-limit.ts'

/** https://platform.moonshot.cn/docs/api/chat */
export const moonshot = defineProvider({
  id: 'moonshot',
  type: 25,
  label: 'Moonshot',
  baseUrl: 'https://api.moonshot.cn',
  endpoints: {
    messages: [anthropicMessages({ path: '/anthropic/v1/messages', authHeaders: anthropicBearer })],
    ...openai(['completions', 'embeddings'], (path) => ({ path, readUsage: readMoonshotUsage })),
    chat: [
      openaiChat({
        quirks: [
          olderOutputLimit,
          // This model accepts no other temperature.
          forModels(
            /^kimi-k2\.6/,
            onBody((body) => (isTold(body, 'temperature') ? { ...body, temperature: 1 } : body)),
          ),
        ],
        readUsage: readMoonshotUsage,
      }),
    ],
  },
  models: names(`
    moonshot-v1-8k moonshot-v1-32k moonshot-v1-128k
    kimi-k2.5 kimi-k2-0905-preview kimi-k2-turbo-preview kimi-k2-thinking kimi-k2-thinking-turbo
  `),
  modelList: openaiModels(),
  balance: balanceAt('/v1/users/me/balance', 'data.available_balance', 'CNY'),
})
