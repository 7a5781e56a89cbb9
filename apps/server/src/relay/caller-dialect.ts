import type { IncomingHttpHeaders } from 'node:http'
import type { CallerDialect } from '@tollgate/dialects/canonical/codec'
import { conversations } from '@tollgate/dialects/conversations'
import { normalisePath, type RelayRoute } from './relay-route.ts'

/** Whether the key is sent in the way only Google's clients do. */
function isGoogles(url: string, headers: IncomingHttpHeaders): boolean {
  return headers['x-goog-api-key'] !== undefined || /[?&]key=/.test(url)
}

/** Routes that callers of every dialect use under the same path. */
const shared: ReadonlySet<RelayRoute['type']> = new Set(['models', 'model', 'own-account', 'not-implemented'])

/** The dialect of a caller, by the path of the request; for routes that all dialects share, by its headers. */
export function callerDialect(
  relayRoute: RelayRoute,
  { url = '', headers }: { readonly url?: string | undefined; readonly headers: IncomingHttpHeaders },
): CallerDialect {
  const { chat, messages, generate } = conversations
  if (relayRoute.type === 'call') return relayRoute.operation.dialect?.(url) ?? chat.caller
  const path = normalisePath(url)
  if (/^(?:\/upload)?\/v1beta\//.test(path)) return generate.caller
  if (path.startsWith('/v1/messages')) return messages.caller
  if (shared.has(relayRoute.type)) {
    if (headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined)
      return messages.caller
    return isGoogles(url, headers) ? generate.caller : chat.caller
  }
  return chat.caller
}
