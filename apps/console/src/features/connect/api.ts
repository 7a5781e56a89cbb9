import { useQuery, useQueryClient } from '@tanstack/react-query'
import { logRoutes } from '@tollgate/contract/log'
import { PAGE_ROWS_MAX } from '@tollgate/contract/query'
import { type Token, tokenRoutes } from '@tollgate/contract/token'
import { api } from '../../shared/api/client.ts'
import { bodyOf, type NewTokenValue } from './new-token-value.ts'

const TOKEN_KEY = ['token']

/** The reader's newest tokens. */
export function useOwnTokens() {
  return useQuery({
    queryKey: [...TOKEN_KEY, 'connect'],
    queryFn: ({ signal }) => api.call(tokenRoutes.list, { query: { p: 0, size: PAGE_ROWS_MAX }, signal }),
  })
}

/** Creates a token and returns its id, once every list of tokens is fetched again. */
export function useCreateToken() {
  const client = useQueryClient()
  return async (value: NewTokenValue, operationKey: string): Promise<number> => {
    const { id } = await api.call(tokenRoutes.create, { body: bodyOf(value), operationKey })
    await client.invalidateQueries({ queryKey: TOKEN_KEY })
    return id
  }
}

/** The full key with its `sk-`. It is requested for one action and never cached. */
export async function revealKey({ id }: Pick<Token, 'id'>): Promise<string> {
  const { key } = await api.call(tokenRoutes.reveal, { params: { id } })
  return key.startsWith('sk-') ? key : `sk-${key}`
}

/** The quota units charged for a call; `undefined` while it has no row in the usage log. */
export async function chargeOf(requestId: string): Promise<number | undefined> {
  const { items } = await api.call(logRoutes.listOwn, { query: { request_id: requestId, page_size: 1 } })
  return items[0]?.quota
}
