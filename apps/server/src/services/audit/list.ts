import { AUDIT_TOTAL_MAX, type AuditRow, type auditRoutes } from '@tollgate/contract/audit'
import { USER_ROLE } from '@tollgate/kit/codes'
import { type AuditFilter, type AuditLogRow, countAudit, listAudit } from '@tollgate/store/accounts/audit-log'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { readPage } from '../page.ts'

/** Only super admins may see site settings, and therefore also their audit rows. */
const ROOT_ENTITIES = ['option']

export function listAuditRows({ store }: Services): Handler<typeof auditRoutes.list> {
  return async ({ query, actor }) => {
    const filter: AuditFilter = {
      keyword: query.keyword,
      actorId: query.actor_id,
      action: query.action,
      entity: query.entity,
      entityId: query.entity_id,
      fromMs: query.start_timestamp * 1000 || undefined,
      untilMs: query.end_timestamp === 0 ? undefined : query.end_timestamp * 1000 + 999,
      exceptEntities: actor.role >= USER_ROLE.root ? [] : ROOT_ENTITIES,
    }
    return readPage(query, {
      list: (page) => listAudit(store, { ...filter, beforeId: query.before_id }, page),
      count: () => countAudit(store, filter, AUDIT_TOTAL_MAX),
      show: (rows) => rows.map(toWireAudit),
    })
  }
}

function toWireAudit(row: AuditLogRow): AuditRow {
  return {
    id: row.id,
    created_at: Math.floor(row.created_ms / 1000),
    actor_id: row.actor_id,
    actor_name: row.actor_name ?? '',
    action: row.action,
    entity: row.entity,
    entity_id: row.entity_id,
    before: row.before_json ?? '',
    after: row.after_json ?? '',
    address: row.address,
  }
}
