import { queryOptions } from '@tanstack/react-query'
import { userRoutes } from '@tollgate/contract/user'
import { api } from '../api/client.ts'

/** The signed-in user's own account and balance. Invalidate it after anything that may have cost or added quota. */
export const selfQuery = queryOptions({
  queryKey: ['self'],
  queryFn: ({ signal }) => api.call(userRoutes.readSelf, { signal }),
  staleTime: 30_000,
  refetchOnWindowFocus: true,
})
