import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { userRoutes } from '@tollgate/contract/user'
import { api } from '../api/client.ts'

/** The signed-in user's own account and balance. {@link readSelfAgain} after anything that may have cost or added quota. */
export const selfQuery = queryOptions({
  queryKey: ['self'],
  queryFn: ({ signal }) => api.call(userRoutes.readSelf, { signal }),
  staleTime: 30_000,
  refetchOnWindowFocus: true,
})

/**
 * Reads the account, and everything whose key begins with its key, anew. What is under way was asked before the change: an
 * invalidation alone would take its answer for the state after it.
 */
export async function readSelfAgain(client: QueryClient): Promise<void> {
  const { queryKey } = selfQuery
  await client.cancelQueries({ queryKey })
  await client.invalidateQueries({ queryKey })
}
