import { useQuery } from '@tanstack/react-query'
import { groupRoutes } from '@tollgate/contract/group'
import { api } from './client.ts'

const SELDOM_CHANGED_MS = 300_000
const none: readonly string[] = []

/** All groups of the site, for admin pages. */
export function useGroupNames(): readonly string[] {
  const { data } = useQuery({
    queryKey: ['group', 'all', 'names'],
    staleTime: SELDOM_CHANGED_MS,
    queryFn: ({ signal }) => api.call(groupRoutes.list, { signal }),
  })
  return data ?? none
}
