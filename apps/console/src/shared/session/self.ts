import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { userRoutes } from '@tollgate/contract/user'
import { api } from '../api/client.ts'

/**
 * The signed-in user's own account and balance. Call {@link readSelfAgain} after anything that may have
 * changed the quota.
 */
export const selfQuery = queryOptions({
  queryKey: ['self'],
  queryFn: ({ signal }) => api.call(userRoutes.readSelf, { signal }),
  staleTime: 30_000,
  refetchOnWindowFocus: true,
})

/**
 * Fetches the account, and everything whose key begins with its key, again. Running requests were sent before
 * the change and are cancelled; with an invalidation alone, their responses would be taken for the new state.
 */
export async function readSelfAgain(client: QueryClient): Promise<void> {
  const { queryKey } = selfQuery
  await client.cancelQueries({ queryKey })
  await client.invalidateQueries({ queryKey })
}
