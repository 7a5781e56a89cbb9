import type { logRoutes } from '@tollgate/contract/log'
import type { LogFilter } from '@tollgate/store/logs'
import type { z } from 'zod'

type AllQuery = z.output<typeof logRoutes.stat.query>
type OwnQuery = z.output<typeof logRoutes.statOwn.query>

export function filterOfAll(query: AllQuery): LogFilter {
  const { username, user_id: userId, channel: channelId } = query
  return { ...common(query), username, userId, channelId }
}

/** By id: a name can be changed, and taken by somebody else. */
export function filterOfOwn(query: OwnQuery, ownerId: number): LogFilter {
  return { ...common(query), userId: ownerId }
}

function common(query: OwnQuery): LogFilter {
  return {
    type: query.type,
    from: query.start_timestamp || undefined,
    until: query.end_timestamp || undefined,
    tokenName: query.token_name,
    modelName: query.model_name,
    group: query.group,
    requestId: query.request_id,
  }
}
