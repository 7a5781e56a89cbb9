import { type AuditRow, auditRoutes } from '@tollgate/contract/audit'
import { api } from '../../shared/api/client.ts'
import { useKeysetPage } from '../../shared/table/keyset.ts'
import type { AuditSearch } from './search.ts'

/** One page of the audit log, newest first. */
export function useAuditPage({ p, ...filters }: AuditSearch, pageSize: number) {
  return useKeysetPage<AuditRow>({
    queryKey: ['audit', filters],
    page: p,
    pageSize,
    read: async (place, signal) => {
      const query = { ...filters, ...place, page_size: pageSize }
      const { items, total } = await api.call(auditRoutes.list, { query, signal })
      return { rows: items, total }
    },
  })
}
