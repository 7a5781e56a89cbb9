import { anthropicKey, anthropicMessages } from './define/anthropic.ts'
import { keyLike } from './define/credentials.ts'
import { defineProvider, names } from './define/define-provider.ts'
import { openaiModels } from './define/model-list.ts'
import { joinUrl } from './define/url.ts'
import { fitClaudeHost } from './fit/claude-members.ts'
import { claudeSearches } from './quirks/claude-searches.ts'
import { claudeThinking } from './quirks/claude-thinking.ts'

/** https://docs.anthropic.com/en/api/messages */
export const anthropic = defineProvider({
  id: 'anthropic',
  type: 14,
  label: 'Anthropic Claude',
  baseUrl: 'https://api.anthropic.com',
  credentials: keyLike('sk-ant-…'),
  authHeaders: anthropicKey,
  endpoints: {
    messages: [
      anthropicMessages({
        quirks: [...claudeThinking, claudeSearches, fitClaudeHost('anthropic')],
        url: (_outgoing, { baseUrl, settings }) =>
          joinUrl(baseUrl, `/v1/messages${settings.hasClaudeBetaQuery ? '?beta=true' : ''}`),
      }),
    ],
  },
  models: names(`
    claude-3-haiku-20240307 claude-3-5-haiku-20241022 claude-3-5-sonnet-20240620 claude-3-5-sonnet-20241022
    claude-3-7-sonnet-20250219 claude-3-7-sonnet-20250219-thinking claude-sonnet-4-20250514
    claude-sonnet-4-20250514-thinking claude-opus-4-20250514 claude-opus-4-20250514-thinking
    claude-haiku-4-5-20251001 claude-opus-4-1-20250805 claude-opus-4-1-20250805-thinking
    claude-sonnet-4-5-20250929 claude-sonnet-4-5-20250929-thinking claude-opus-4-5-20251101
    claude-opus-4-5-20251101-thinking claude-opus-4-6 claude-opus-4-6-max claude-opus-4-6-high
    claude-opus-4-6-medium claude-opus-4-6-low claude-sonnet-4-6 claude-opus-4-7 claude-opus-4-7-max
    claude-opus-4-7-xhigh claude-opus-4-7-high claude-opus-4-7-medium claude-opus-4-7-low claude-opus-4-8
    claude-opus-4-8-max claude-opus-4-8-xhigh claude-opus-4-8-high claude-opus-4-8-medium claude-opus-4-8-low
  `),
  // The vendor's model list has the same shape and path as OpenAI's.
  modelList: openaiModels(),
})
