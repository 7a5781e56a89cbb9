import { useQuery, useQueryClient } from '@tanstack/react-query'
import { statementRoutes } from '@tollgate/contract/statement'
import { type Order, topUpRoutes } from '@tollgate/contract/top-up'
import { api } from '../../shared/api/client.ts'
import { readSelfAgain } from '../../shared/session/self.ts'
import { useKeysetPage } from '../../shared/table/keyset.ts'
import type { TableSource } from '../../shared/table/column.ts'

const WALLET_KEY = ['wallet']

/** Call after quota was credited: balance, orders and statements are fetched again. */
export function useRefreshWallet(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await readSelfAgain(client)
    await client.invalidateQueries({ queryKey: WALLET_KEY })
  }
}

/** One page of orders, newest first: the reader's own, or with `isEverybody` all of the site. */
export function useOrderPage(input: {
  page: number
  pageSize: number
  isEverybody: boolean
}): TableSource<Order> {
  const { page, pageSize, isEverybody } = input
  const route = isEverybody ? topUpRoutes.list : topUpRoutes.listOwn
  return useKeysetPage({
    queryKey: [...WALLET_KEY, 'orders', isEverybody],
    page,
    pageSize,
    read: (query, signal) => api.call(route, { query, signal }),
  })
}

/** The price of an amount of quota; `undefined` while it is unknown. */
export function useQuote(amount: number, isAsked: boolean) {
  return useQuery({
    queryKey: [...WALLET_KEY, 'quote', amount],
    enabled: isAsked,
    retry: false,
    queryFn: ({ signal }) => api.call(topUpRoutes.amount, { body: { amount }, signal }),
  })
}

export function useStatement(month: string) {
  return useQuery({
    queryKey: [...WALLET_KEY, 'statement', month],
    queryFn: ({ signal }) => api.call(statementRoutes.read, { query: { month }, signal }),
  })
}
