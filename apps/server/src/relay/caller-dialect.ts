import type { IncomingHttpHeaders } from 'node:http'
import type { CallerDialect } from '@tollgate/dialects/canonical/codec'
import { geminiCaller } from '@tollgate/dialects/gemini/codec'
import { conversations, isConversation } from '@tollgate/dialects/conversations'
import { normalisePath, type RelayRoute } from './relay-route.ts'

const generateList = geminiCaller('array')

/** Gemini streams are one JSON array unless `alt=sse` is requested. */
function isEvents(url: string): boolean {
  return /[?&]alt=sse(?:&|$)/.test(url)
}

/** Whether the key is sent in the way only Google's clients do. */
function isGoogles(url: string, headers: IncomingHttpHeaders): boolean {
  return headers['x-goog-api-key'] !== undefined || /[?&]key=/.test(url)
}

/** The dialect of a caller, by the path of the request; for the list of models, by its headers. */
export function callerDialect(
  relayRoute: RelayRoute,
  { url = '', headers }: { readonly url?: string | undefined; readonly headers: IncomingHttpHeaders },
): CallerDialect {
  const { chat, messages, generate } = conversations
  if (relayRoute.type === 'call') {
    if (relayRoute.operation === 'generate') return isEvents(url) ? generate.caller : generateList
    if (relayRoute.operation === 'embed') return generate.caller
    return isConversation(relayRoute.operation) ? conversations[relayRoute.operation].caller : chat.caller
  }
  if (normalisePath(url).startsWith('/v1beta/')) return generate.caller
  if (relayRoute.type === 'models' || relayRoute.type === 'model') {
    if (headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined)
      return messages.caller
    return isGoogles(url, headers) ? generate.caller : chat.caller
  }
  return normalisePath(url).startsWith('/v1/messages') ? messages.caller : chat.caller
}
