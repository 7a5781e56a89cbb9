import {
  type QueryClient,
  type QueryKey,
  keepPreviousData,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Page, TableSource } from './column.ts'
import { type ListPage, pageOf } from './page-of.ts'

/** The start of a page: after a known row or, if the previous page is not cached, by page number. */
export interface KeysetPlace {
  readonly p: number
  readonly before_id?: number
}

/** A place with the length of the page: the query of a list route. */
export interface KeysetQuery extends KeysetPlace {
  readonly page_size: number
}

interface KeysetInput<Row> {
  /** Identifies the list and its filters, without the page. */
  readonly queryKey: QueryKey
  /** Starts at 1. */
  readonly page: number
  readonly pageSize: number
  readonly read: (query: KeysetQuery, signal: AbortSignal) => Promise<ListPage<Row>>
}

/**
 * Fetches a long list, newest first, by "older than this row". Rows added in the meantime neither repeat nor
 * shift other rows, and the last page costs no more than the first.
 */
export function useKeysetPage<Row extends { readonly id: number }>(
  input: KeysetInput<Row>,
): TableSource<Row> {
  const { queryKey, page, pageSize, read } = input
  const client = useQueryClient()
  return useQuery({
    queryKey: [...queryKey, pageSize, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const place = placeOf(client, [...queryKey, pageSize], page)
      return pageOf(read({ ...place, page_size: pageSize }, signal))
    },
  })
}

export function placeOf(
  client: Pick<QueryClient, 'getQueryData'>,
  listKey: QueryKey,
  page: number,
): KeysetPlace {
  const before = client.getQueryData<Page<{ readonly id: number }>>([...listKey, page - 1])?.rows.at(-1)
  return before === undefined ? { p: page } : { p: 1, before_id: before.id }
}
