import type { IncomingHttpHeaders } from 'node:http'
import type { CallerDialect } from '@tollgate/dialects/canonical/codec'
import { conversations, isConversation } from '@tollgate/dialects/conversations'
import { normalisePath, type Entrance } from './entrance.ts'

/** Whose words a caller understands: by where they came in, and for the list of models by the headers they sent. */
export function callerDialect(
  entrance: Entrance,
  { url = '', headers }: { readonly url?: string | undefined; readonly headers: IncomingHttpHeaders },
): CallerDialect {
  const { chat, messages } = conversations
  if (entrance.type === 'call') {
    return isConversation(entrance.operation) ? conversations[entrance.operation].caller : chat.caller
  }
  if (entrance.type === 'models' || entrance.type === 'model') {
    return headers['anthropic-version'] === undefined ? chat.caller : messages.caller
  }
  return normalisePath(url).startsWith('/v1/messages') ? messages.caller : chat.caller
}
