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
    read: (place, signal) => api.call(auditRoutes.list, { query: { ...filters, ...place }, signal }),
  })
}
