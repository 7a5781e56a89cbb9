import { readAsk } from '@tollgate/dialects/ask'
import { countInputTokens } from '@tollgate/dialects/tokens/count'
import { problem } from '@tollgate/kit/problem'
import { readBody } from './admit/body.ts'
import type { Caller } from './admit/caller.ts'
import type { Call } from './call.ts'

/**
 * `POST /v1/messages/count_tokens`: what a call would send, by our own count. It costs nothing and asks nobody.
 * https://docs.anthropic.com/en/api/messages-count-tokens
 */
export async function countTokens(call: Call, { token }: Caller, bytesMax: number): Promise<string> {
  const ask = readAsk('messages', await readBody(call.request, bytesMax))
  if (token?.models !== undefined && !token.models.has(ask.model)) {
    throw problem('model_not_allowed', { model: ask.model })
  }
  return JSON.stringify({ input_tokens: countInputTokens('messages', ask) })
}
