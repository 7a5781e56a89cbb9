import { isRecord, parseObject, textAt } from '@tollgate/dialects/json'
import { problem } from '@tollgate/kit/problem'
import { defineProvider, names } from './build/define.ts'
import { openaiResponses } from './build/openai.ts'
import { defaults, omit, onBody } from './quirks/body.ts'

const HINT = '{"access_token":"…","account_id":"…"}'

const IN_HEADERS = /^[\x21-\x7e]+$/

/** The models of a subscription, by the sign-in of its owner. https://github.com/openai/codex. It only streams. */
export const codex = defineProvider({
  id: 'codex',
  type: 57,
  label: 'Codex',
  baseUrl: 'https://chatgpt.com',
  credentials: { hint: HINT, check: (key) => void signInOf(key) },
  sign: ({ key }) => {
    const { accessToken, accountId } = signInOf(key)
    return {
      authorization: `Bearer ${accessToken}`,
      'chatgpt-account-id': accountId,
      'openai-beta': 'responses=experimental',
      originator: 'codex_cli_rs',
    }
  },
  speaks: {
    responses: [
      openaiResponses({
        path: '/backend-api/codex/responses',
        streams: 'always',
        quirks: [
          defaults({ instructions: '' }),
          onBody((body) => ({
            ...omit(body, 'max_output_tokens', 'temperature', 'frequency_penalty', 'presence_penalty'),
            store: false,
          })),
        ],
      }),
    ],
  },
  models: names(
    'gpt-5.6-sol gpt-5.6-terra gpt-5.6-luna gpt-5.5 gpt-5.4 gpt-5.4-mini gpt-5.3-codex-spark codex-auto-review',
  ),
})

/** As the vendor's own client keeps it, alone or among other members. */
function signInOf(key: string): { readonly accessToken: string; readonly accountId: string } {
  const file = parseObject(key) ?? {}
  const signIn = isRecord(file['tokens']) ? file['tokens'] : file
  const accessToken = textAt(signIn, 'access_token')
  const accountId = textAt(signIn, 'account_id')
  if (accessToken === undefined || accountId === undefined || !IN_HEADERS.test(accessToken + accountId))
    throw problem('channel_key_invalid', { hint: HINT })
  return { accessToken, accountId }
}
