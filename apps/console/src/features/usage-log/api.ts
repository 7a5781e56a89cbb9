import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { adminUserRoutes } from '@tollgate/contract/admin-user'
import { groupRoutes } from '@tollgate/contract/group'
import { type LogRow, logRoutes } from '@tollgate/contract/log'
import { api } from '../../shared/api/client.ts'
import { useKeysetPage } from '../../shared/table/keyset.ts'
import type { LogQuery } from './filters/search.ts'

interface LogPageInput {
  readonly isAdmin: boolean
  readonly query: LogQuery
  readonly page: number
  readonly pageSize: number
}

/** One page of rows. The previous page stays on screen while the next is loading. */
export function useLogPage({ isAdmin, query, page, pageSize }: LogPageInput) {
  return useKeysetPage<LogRow>({
    queryKey: ['log', 'list', isAdmin, query],
    page,
    pageSize,
    read: (place, signal) => {
      const input = { query: { ...query, ...place }, signal }
      return isAdmin ? api.call(logRoutes.list, input) : api.call(logRoutes.listOwn, input)
    },
  })
}

/** Sums over all matching rows, independently of the page. */
export function useLogStat({ isAdmin, query: asked }: Pick<LogPageInput, 'isAdmin' | 'query'>) {
  const { calls: _sumsAreOfCalls, ...query } = asked
  return useQuery({
    queryKey: ['log', 'stat', isAdmin, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      isAdmin ? api.call(logRoutes.stat, { query, signal }) : api.call(logRoutes.statOwn, { query, signal }),
  })
}

/**
 * The account of a row's user; the request fails if the reader may not manage that account, or if it was
 * deleted.
 */
export function useAccount(id: number) {
  return useQuery({
    queryKey: ['adminUser', 'get', id],
    retry: false,
    queryFn: ({ signal }) => api.call(adminUserRoutes.get, { params: { id }, signal }),
  })
}

const SELDOM_CHANGED_MS = 300_000

export function useKnownGroups(isAdmin: boolean): readonly string[] {
  const { data } = useQuery({
    queryKey: ['group', isAdmin ? 'all' : 'own', 'names'],
    staleTime: SELDOM_CHANGED_MS,
    queryFn: async ({ signal }) =>
      isAdmin
        ? api.call(groupRoutes.list, { signal })
        : Object.keys(await api.call(groupRoutes.own, { signal })),
  })
  return data ?? []
}
