import { isMemberSet } from '@tollgate/dialects/canonical/state-members'
import { countInputTokens } from '@tollgate/dialects/tokens/count'
import { problem } from '@tollgate/problems/problem'
import { readCall, type CallToRead, type ReadCallApp } from './stations/admit/read-call.ts'
import type { RelayRoute } from './relay-route.ts'

type CountEntrance = Extract<RelayRoute, { type: 'count-tokens' }>

export interface CountInput extends Omit<CallToRead, 'relayRoute'> {
  readonly relayRoute: CountEntrance
}

/**
 * `POST /v1/messages/count_tokens` and Gemini's `:countTokens`: the input tokens of a request, by the
 * gateway's own count. It is free and contacts no upstream.
 * https://docs.anthropic.com/en/api/messages-count-tokens
 */
export async function countTokens(input: CountInput, app: ReadCallApp): Promise<string> {
  const { operation, model } = input.relayRoute
  const { token } = input.caller
  const defaults = model === undefined ? {} : { pathModel: model }
  const ask = await readCall({ ...input, relayRoute: { operation, defaults } }, app)
  if (token?.models !== undefined && !token.models.has(ask.model)) {
    throw problem('model_not_allowed', { model: ask.model })
  }
  // The rest of the conversation is at its vendor and cannot be counted.
  if (operation.wire === 'messages' && isMemberSet(ask.body['thread']))
    throw problem('thread_unsupported_request')
  const tokens = countInputTokens(operation.wire, ask)
  return JSON.stringify(operation.tokenCount?.(tokens))
}
