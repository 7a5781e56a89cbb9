import { isRecord, recordAt } from '@tollgate/dialects/json'
import { amountAt, inCurrency } from './define/balance.ts'
import { bearer } from './define/credentials.ts'
import { defineProvider } from './define/define-provider.ts'
import { openaiModels } from './define/model-list.ts'
import { openai, openaiChat, openaiCompletions } from './define/openai.ts'
import { joinUrl } from './define/url.ts'
import { defaults, isTold, omit, onBody, type Body } from './quirks/body.ts'
import { modelSuffix } from './quirks/model-suffix.ts'
import { mirrorReasoning } from './quirks/mirror-reasoning.ts'

/** https://openrouter.ai/docs/use-cases/reasoning-tokens, …/usage-accounting */
export const openrouter = defineProvider({
  id: 'openrouter',
  type: 20,
  label: 'OpenRouter',
  baseUrl: 'https://openrouter.ai/api',
  authHeaders: bearer(() => ({ 'x-title': 'Tollgate', 'x-openrouter-title': 'Tollgate' })),
  endpoints: {
    ...openai(['embeddings', 'images', 'responses']),
    completions: [openaiCompletions({ quirks: [defaults({ usage: { include: true } })] })],
    chat: [
      openaiChat({
        quirks: [
          defaults({ usage: { include: true } }),
          modelSuffix({ suffixes: { thinking: (body) => withReasoning(body, { enabled: true }) } }),
          onBody(reasoningFromEffort),
          onBody(reasoningFromThinking),
        ],
        adjustAnswer: (answer) => mirrorReasoning.apply(unwrapped(answer)),
        adjustChunk: mirrorReasoning,
        takesSearch: 'always',
      }),
    ],
  },
  modelList: openaiModels(),
  balance: {
    url: ({ baseUrl }) => joinUrl(baseUrl, '/v1/credits'),
    read: (body) => {
      const bought = amountAt(body, 'data.total_credits')
      const used = amountAt(body, 'data.total_usage')
      return bought === undefined || used === undefined ? undefined : inCurrency(bought - used, 'USD')
    },
  },
})

/** Enterprise accounts get their responses in an envelope. */
function unwrapped(answer: Record<string, unknown>): Record<string, unknown> {
  const inner = recordAt(answer, 'data')
  return typeof answer['success'] === 'boolean' && inner !== undefined ? inner : answer
}

function reasoningFromEffort(body: Body): Body {
  const effort = body['reasoning_effort']
  if (typeof effort !== 'string') return body
  const rest = omit(body, 'reasoning_effort')
  return effort === 'none' ? rest : withReasoning(rest, { enabled: true, effort })
}

/** Anthropic's `thinking` member, sent by clients that expect a Claude model. */
function reasoningFromThinking(body: Body, { model }: { readonly model: string }): Body {
  const thinking = body['thinking']
  if (!model.startsWith('anthropic/') || !isRecord(thinking)) return body
  const rest = omit(body, 'thinking')
  if (thinking['type'] !== 'enabled') return rest
  const budget = isTold(thinking, 'budget_tokens') ? { max_tokens: thinking['budget_tokens'] } : {}
  return withReasoning(rest, { enabled: true, ...budget })
}

/** Members that the client set in OpenRouter's own `reasoning` take precedence. */
function withReasoning(body: Body, reasoning: Body): Body {
  const reported = body['reasoning']
  return { ...body, reasoning: { ...reasoning, ...(isRecord(reported) ? reported : {}) } }
}
