import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type CallSession, callSessionRoutes, SESSION_CALLS_MAX } from '@tollgate/contract/call-session'
import { api } from '../../shared/api/client.ts'
import type { Page } from '../../shared/table/column.ts'
import { pageOf } from '../../shared/table/page-of.ts'
import { beginningOf, type CallSessionSearch } from './search.ts'

interface SessionPageInput {
  readonly search: CallSessionSearch
  readonly pageSize: number
  readonly isAdmin: boolean
}

/** One page of sessions, or the one that the address names. */
export function useSessionPage({ search, pageSize, isAdmin }: SessionPageInput) {
  const { p, days, client, username, session } = search
  return useQuery({
    queryKey: ['call-session', 'list', isAdmin, days, client, username, session, p, pageSize],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }): Promise<Page<CallSession>> => {
      if (session !== '') return oneSession(session, { isAdmin, signal })
      const start = beginningOf(days, Date.now())
      const query = { p, page_size: pageSize, start_timestamp: start, client: client || undefined }
      return pageOf(
        isAdmin
          ? api.call(callSessionRoutes.list, { query: { ...query, username: username || undefined }, signal })
          : api.call(callSessionRoutes.listOwn, { query, signal }),
      )
    },
  })
}

interface CallsInput {
  readonly isAdmin: boolean
  readonly signal: AbortSignal
  readonly afterId?: number | undefined
}

async function oneSession(session: string, input: CallsInput): Promise<Page<CallSession>> {
  const found = await callsOf(session, input)
  return { rows: [found.session], total: 1 }
}

function callsOf(session: string, { isAdmin, signal, afterId }: CallsInput) {
  const input = { params: { session }, query: { after_id: afterId }, signal }
  return isAdmin ? api.call(callSessionRoutes.get, input) : api.call(callSessionRoutes.getOwn, input)
}

/** The calls of a session in order; `fetchNextPage` reads more. */
export function useSessionCalls(session: string, isAdmin: boolean) {
  return useInfiniteQuery({
    queryKey: ['call-session', 'calls', isAdmin, session],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam }) =>
      callsOf(session, { isAdmin, signal, afterId: pageParam || undefined }),
    getNextPageParam: ({ calls }) => (calls.length < SESSION_CALLS_MAX ? undefined : calls.at(-1)?.id),
  })
}
