import type { logRoutes } from '@tollgate/contract/log'
import { LOG_TYPE } from '@tollgate/kit/codes'
import type { LogFilter } from '@tollgate/store/logs/filter'
import type { z } from 'zod'

/** Lists and exports can be limited to calls; statistics count only calls anyway. */
type CallsOnly = { readonly calls?: boolean | undefined }
type AllQuery = z.output<typeof logRoutes.stat.query> & CallsOnly
type OwnQuery = z.output<typeof logRoutes.statOwn.query> & CallsOnly

/**
 * Includes refunds, so that the rows add up to the totals shown above them, and refused calls, which count for none of
 * them.
 */
const CALL_TYPES = [LOG_TYPE.consumption, LOG_TYPE.error, LOG_TYPE.refund, LOG_TYPE.refusal]

/** Operators find a call by the vendor's id of its request too, which they cannot tell from ours. */
export function filterOfAll(query: AllQuery): LogFilter {
  const { username, user_id: userId, channel: channelId, upstream_request_id: upstreamRequestId } = query
  const anyRequestId = query.request_id
  return {
    ...common(query),
    requestId: undefined,
    anyRequestId,
    username,
    userId,
    channelId,
    upstreamRequestId,
  }
}

/** Filters by id, because a name can be changed and then be taken by another user. */
export function filterOfOwn(query: OwnQuery, ownerId: number): LogFilter {
  return { ...common(query), userId: ownerId }
}

function common(query: OwnQuery): LogFilter {
  return {
    type: query.type,
    types: query.calls && query.type === undefined ? CALL_TYPES : undefined,
    from: query.start_timestamp || undefined,
    until: query.end_timestamp || undefined,
    tokenName: query.token_name,
    modelName: query.model_name,
    group: query.group,
    requestId: query.request_id,
    session: query.session,
    client: query.client,
  }
}
