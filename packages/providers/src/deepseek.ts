import { cachedIn } from '@tollgate/dialects/openai-usage'
import { recordsAt, isRecord } from '@tollgate/dialects/json'
import { anthropicBearer, anthropicMessages } from './define/anthropic.ts'
import { amountAt, inCurrency } from './define/balance.ts'
import { defineProvider, names } from './define/define-provider.ts'
import { openaiModels } from './define/model-list.ts'
import { openaiChat, openaiCompletions, openaiResponses } from './define/openai.ts'
import { joinUrl } from './define/url.ts'
import { modelSuffix } from './quirks/model-suffix.ts'
import { olderOutputLimit } from './quirks/output-limit.ts'

const readUsage = cachedIn('prompt_cache_hit_tokens')

/** https://api-docs.deepseek.com */
export const deepseek = defineProvider({
  id: 'deepseek',
  type: 43,
  label: 'DeepSeek',
  baseUrl: 'https://api.deepseek.com',
  endpoints: {
    chat: [
      openaiChat({
        quirks: [
          olderOutputLimit,
          modelSuffix({
            models: /^deepseek-v4-/,
            suffixes: {
              none: (body) => ({ ...body, thinking: { type: 'disabled' } }),
              max: (body) => ({ ...body, thinking: { type: 'enabled' }, reasoning_effort: 'max' }),
            },
          }),
        ],
        readUsage,
      }),
    ],
    messages: [anthropicMessages({ path: '/anthropic/v1/messages', authHeaders: anthropicBearer })],
    responses: [openaiResponses({ path: '/responses' })],
    completions: [
      openaiCompletions({
        url: (_outgoing, { baseUrl }) =>
          joinUrl(baseUrl, baseUrl.endsWith('/beta') ? '/completions' : '/beta/completions'),
        readUsage,
      }),
    ],
  },
  models: names(`
    deepseek-chat deepseek-reasoner deepseek-v4-flash deepseek-v4-flash-none deepseek-v4-flash-max
    deepseek-v4-pro deepseek-v4-pro-none deepseek-v4-pro-max
  `),
  modelList: openaiModels(),
  balance: {
    url: ({ baseUrl }) => joinUrl(baseUrl, '/user/balance'),
    read: (body) => {
      const purses = isRecord(body) ? recordsAt(body, 'balance_infos') : []
      const wallet = purses.find((each) => each['currency'] === 'CNY') ?? purses[0]
      return inCurrency(amountAt(wallet, 'total_balance'), wallet?.['currency'] === 'USD' ? 'USD' : 'CNY')
    },
  },
})
