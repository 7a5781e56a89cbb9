import type { SqliteValue } from '@tollgate/store/sqlite/connection'
import { QUIET_MS, type OutOfReach } from '../core/audit.ts'
import { amount, text } from './fields.ts'

/** The rows of `AuditSource.allotmentsOutOfReach`, in the SQL of every engine. */
export function buildOutOfReachSql(nowMs: number): string {
  return `select a.account_id, a.instance_id, a.amount, a.free from allotment a
    join instance i on i.id = a.instance_id
    where i.state = 'alive' and a.amount <> a.free
    and not exists (select 1 from allotment b where b.instance_id = a.instance_id and b.open_holds > 0)
    and not exists (
      select 1 from journal j where j.instance_id = a.instance_id and j.updated_ms > ${Math.floor(nowMs) - QUIET_MS}
    ) limit 100`
}

export function decodeOutOfReach(row: readonly SqliteValue[]): OutOfReach {
  return { account: Number(row[0]), instanceId: text(row[1]), amount: amount(row[2]), free: amount(row[3]) }
}
