import { auditRoutes } from '@tollgate/contract/audit'
import { type BoundRoute, bind } from '../handler.ts'
import type { Services } from '../services.ts'
import { listAuditRows } from './list.ts'

export function auditHandlers(services: Services): readonly BoundRoute[] {
  return [bind(auditRoutes.list, listAuditRows(services))]
}
