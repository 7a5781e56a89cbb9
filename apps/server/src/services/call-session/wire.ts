import type { CallSession } from '@tollgate/contract/call-session'
import type { SessionSums } from '@tollgate/store/logs/call-sessions'
import { channelNames } from '@tollgate/store/logs/logs'
import type { Services } from '../services.ts'
import { wireQuota } from '../wire-quota.ts'

/** Sessions as an operator sees them. */
export async function toSessions(
  store: Services['store'],
  sums: readonly SessionSums[],
): Promise<CallSession[]> {
  const ids = new Set(sums.flatMap(({ channels }) => [...channels.keys()]))
  const names = await channelNames(store, [...ids])
  return sums.map((sum) => ({
    session: sum.session,
    user_id: sum.userId,
    username: sum.username,
    client: sum.client,
    client_version: sum.clientVersion,
    first_at: sum.firstAt,
    last_at: sum.lastAt,
    calls: sum.calls,
    errors: sum.errors,
    quota: wireQuota(sum.quota),
    prompt_tokens: sum.promptTokens,
    completion_tokens: sum.completionTokens,
    cached_tokens: sum.cachedTokens,
    cache_saved: wireQuota(sum.cacheSaved),
    channels: [...sum.channels]
      .toSorted(([, left], [, right]) => right - left)
      .map(([id, calls]) => ({ channel_id: id, name: names.get(id) ?? '', calls })),
  }))
}

/** A session as the user it belongs to sees it. */
export function toOwnSession(session: CallSession): CallSession {
  return { ...session, channels: [] }
}
