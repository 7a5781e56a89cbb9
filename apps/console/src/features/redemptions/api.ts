import type { SwitchedCodeStatus } from '@tollgate/kit/codes'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { BatchOutcome } from '@tollgate/contract/batch'
import { ENDED_CODES, type Redemption, redemptionRoutes } from '@tollgate/contract/redemption'
import { api } from '../../shared/api/client.ts'
import { pageOf } from '../../shared/table/page-of.ts'
import { ENDED, type RedemptionSearch } from './search.ts'

const REDEMPTION_KEY = ['redemption']

/** One page of redemption codes, newest first. */
export function useRedemptionPage({ keyword, status, p }: RedemptionSearch, pageSize: number) {
  return useQuery({
    queryKey: [...REDEMPTION_KEY, 'list', keyword, status, p, pageSize],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = { p, page_size: pageSize, status: status === ENDED ? ENDED_CODES : status || undefined }
      return pageOf<Redemption>(
        keyword === ''
          ? api.call(redemptionRoutes.list, { query, signal })
          : api.call(redemptionRoutes.search, { query: { ...query, keyword }, signal }),
      )
    },
  })
}

/** Call after a change: every list of codes is fetched again. */
export function useRefreshRedemptions(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: REDEMPTION_KEY })
}

export function setRedemptionStatus({ id, version }: Redemption, status: number): Promise<Redemption> {
  return api.call(redemptionRoutes.update, {
    query: { status_only: 'true' },
    body: { id, version, status },
  })
}

export function setStatusOfRedemptions(
  ids: readonly number[],
  status: SwitchedCodeStatus,
): Promise<BatchOutcome> {
  return api.call(redemptionRoutes.setStatusMany, { body: { ids: [...ids], status } })
}

export async function countByName(name: string): Promise<{ all: number; removable: number }> {
  const { data, extra } = await api.callWhole(redemptionRoutes.countByName, { query: { name } })
  return { all: data, removable: Number(extra['removable']) }
}
