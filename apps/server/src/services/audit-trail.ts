import type { Clock } from '@tollgate/kit/clock'
import { insertAudit } from '@tollgate/store/accounts/audit-log'
import type { Database } from '@tollgate/store/tables/schema'
import type { Kysely } from 'kysely'
import type { AuditTrail } from './services.ts'

/** Records every change made by a person in an append-only table. */
export function auditTrail({ store, clock }: { store: Kysely<Database>; clock: Clock }): AuditTrail {
  return {
    write: (row, within) =>
      insertAudit(within ?? store, {
        actor_id: row.actorId,
        action: row.action,
        entity: row.entity,
        entity_id: String(row.entityId),
        before_json: textOf(row.before),
        after_json: textOf(row.after),
        address: row.address,
        created_ms: clock.nowMs(),
      }),
  }
}

function textOf(value: unknown): string | null {
  if (value === undefined) return null
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one))
}
