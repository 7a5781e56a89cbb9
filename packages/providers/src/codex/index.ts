import { codexRenewal, RENEWAL_URL } from './renewal.ts'
import { SIGN_IN_HINT, signInOf } from './sign-in.ts'
import { defineProvider, names } from '../define/define-provider.ts'
import { openaiResponses, openaiSearch } from '../define/openai.ts'
import { defaults, omit, onBody } from '../quirks/body.ts'

/**
 * The models of a ChatGPT subscription, called with the OAuth tokens of its owner. The endpoint only streams.
 * https://github.com/openai/codex
 */
export const codex = defineProvider({
  id: 'codex',
  type: 57,
  label: 'Codex',
  baseUrl: 'https://chatgpt.com',
  credentials: { hint: SIGN_IN_HINT, check: (key) => void signInOf(key) },
  other: {
    label: { en: 'Address that renews the sign-in', zh: '刷新登录凭据的地址' },
    usual: RENEWAL_URL,
  },
  renewal: codexRenewal,
  authHeaders: ({ key }) => {
    const { accessToken, accountId } = signInOf(key)
    return {
      authorization: `Bearer ${accessToken}`,
      'chatgpt-account-id': accountId,
      'openai-beta': 'responses=experimental',
      originator: 'codex_cli_rs',
    }
  },
  endpoints: {
    responses: [
      openaiResponses({
        path: '/backend-api/codex/responses',
        streams: 'always',
        hasSocket: true,
        isWithoutOutputLimit: true,
        quirks: [
          defaults({ instructions: '' }),
          onBody((body, { isConverted }) => ({
            ...omit(body, 'max_output_tokens', 'temperature', 'frequency_penalty', 'presence_penalty'),
            // The vendor's own client never sends `max_tool_calls`, and it is not known whether the endpoint
            // accepts it, so it is left out of converted requests.
            ...(isConverted && { max_tool_calls: undefined }),
            store: false,
          })),
        ],
      }),
    ],
    search: [openaiSearch({ path: '/backend-api/codex/alpha/search' })],
  },
  models: names(
    'gpt-5.6-sol gpt-5.6-terra gpt-5.6-luna gpt-5.5 gpt-5.4 gpt-5.4-mini gpt-5.3-codex-spark codex-auto-review',
  ),
})
