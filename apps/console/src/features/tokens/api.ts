import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Token, tokenRoutes } from '@tollgate/contract/token'
import { api } from '../../shared/api/client.ts'
import { copyText } from '../../shared/copy/copy.ts'
import { pageOfList } from '../../shared/table/page-of.ts'

const TOKEN_KEY = ['token']

interface TokenPageInput {
  readonly keyword: string
  /** Counted from 1. */
  readonly page: number
  readonly pageSize: number
}

/** One page of the caller's tokens, newest first, optionally filtered by name. */
export function useTokenPage({ keyword, page, pageSize }: TokenPageInput) {
  return useQuery({
    queryKey: [...TOKEN_KEY, 'list', keyword, page, pageSize],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { p: page - 1, size: pageSize }
      return pageOfList(
        keyword === ''
          ? await api.callWhole(tokenRoutes.list, { query, signal })
          : await api.callWhole(tokenRoutes.search, { query: { ...query, keyword }, signal }),
      )
    },
  })
}

/** Call after a change: every list of tokens is fetched again. */
export function useRefreshTokens(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: TOKEN_KEY })
}

export async function setTokenStatus(token: Token, status: number): Promise<void> {
  await api.call(tokenRoutes.update, { query: { status_only: 'true' }, body: { id: token.id, status } })
}

export function removeToken(token: Token): Promise<null> {
  return api.call(tokenRoutes.remove, { params: { id: token.id } })
}

/** Fetches the full key and puts it, with its `sk-`, on the clipboard. The page never stores it. */
export async function copyTokenKey(token: Pick<Token, 'id'>): Promise<void> {
  const { key } = await api.call(tokenRoutes.reveal, { params: { id: token.id } })
  await copyText(withPrefix(key), { isSecret: true })
}

export function withPrefix(key: string): string {
  return key.startsWith('sk-') ? key : `sk-${key}`
}
