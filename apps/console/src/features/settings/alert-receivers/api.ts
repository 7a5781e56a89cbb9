import { useQuery, useQueryClient } from '@tanstack/react-query'
import { alertRoutes, type Receiver } from '@tollgate/contract/alert'
import { api } from '../../../shared/api/client.ts'
import type { Page } from '../../../shared/table/column.ts'

const RECEIVERS_KEY = ['alert-receivers']

export function useReceivers() {
  return useQuery({
    queryKey: RECEIVERS_KEY,
    queryFn: async ({ signal }): Promise<Page<Receiver>> => {
      const rows = await api.call(alertRoutes.receivers, { signal })
      return { rows, total: rows.length }
    },
  })
}

/** Call after a change of a receiver. */
export function useRefreshReceivers(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: RECEIVERS_KEY })
}
