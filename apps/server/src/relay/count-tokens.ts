import { readAsk } from '@tollgate/dialects/ask'
import { countInputTokens } from '@tollgate/dialects/tokens/count'
import { problem } from '@tollgate/kit/problem'
import { readBody } from './admit/body.ts'
import type { Caller } from './admit/caller.ts'
import type { Call } from './call.ts'
import type { Entrance } from './entrance.ts'

export interface CountInput {
  readonly entrance: Extract<Entrance, { type: 'count-tokens' }>
  readonly caller: Caller
  readonly bytesMax: number
}

/**
 * `POST /v1/messages/count_tokens` and Gemini's `:countTokens`: what a call would send, by our own count. It costs nothing and asks nobody.
 * https://docs.anthropic.com/en/api/messages-count-tokens
 */
export async function countTokens(
  call: Call,
  { entrance, caller: { token }, bytesMax }: CountInput,
): Promise<string> {
  const { operation, model } = entrance
  const defaults = model === undefined ? {} : { pathModel: model }
  const ask = readAsk(operation, await readBody(call.request, bytesMax), defaults)
  if (token?.models !== undefined && !token.models.has(ask.model)) {
    throw problem('model_not_allowed', { model: ask.model })
  }
  const tokens = countInputTokens(operation, ask)
  return JSON.stringify(operation === 'messages' ? { input_tokens: tokens } : { totalTokens: tokens })
}
