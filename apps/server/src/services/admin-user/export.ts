import type { AdminUser, adminUserRoutes } from '@tollgate/contract/admin-user'
import { type UserFilter, listManagedUsers } from '@tollgate/store/accounts/managed-users'
import { type CsvColumns, csvParts } from '../csv.ts'
import { currencyAmount } from '../currency-amount.ts'
import { FileAnswer, type Handler } from '../handler.ts'
import { userFilter } from './list.ts'
import type { AdminUserServices } from './services.ts'
import { type UserReader, toWireUsers } from './wire.ts'

const ROWS_AT_ONCE = 500

/** Exports the list as CSV. The data leaves the site, so the export is recorded in the audit trail. */
export function exportUsers(services: AdminUserServices): Handler<typeof adminUserRoutes.export> {
  const { clock, audit } = services
  return async (call) => {
    const { query, actor, language } = call
    await audit(call, { action: 'export', entity: 'user', entityId: 'several' })
    const day = new Date(clock.nowMs()).toISOString().slice(0, 'YYYY-MM-DD'.length)
    const pages = pagesOf(services, userFilter(query), { actor, language })
    return new FileAnswer({
      name: `users-${day}.csv`,
      type: 'text/csv',
      text: csvParts(columnsOf(services), pages),
    })
  }
}

/** Newest first; users who register meanwhile are left out. */
async function* pagesOf(
  services: AdminUserServices,
  filter: UserFilter,
  reader: UserReader,
): AsyncGenerator<readonly AdminUser[]> {
  let beforeId: number | undefined
  do {
    const page = { offset: 0, limit: ROWS_AT_ONCE }
    const rows = await listManagedUsers(services.store, { ...filter, beforeId }, page)
    yield await toWireUsers(services, rows, reader)
    beforeId = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)?.id
  } while (beforeId !== undefined)
}

/** Adds, after each quota column, a column with the same amount in the site's currency. */
function columnsOf({ options }: AdminUserServices): CsvColumns<AdminUser> {
  const amount = (units: number) => currencyAmount(BigInt(units), options.get('QuotaPerUnit'))
  return [
    ['id', (user) => user.id],
    ['username', (user) => user.username],
    ['display_name', (user) => user.display_name],
    ['email', (user) => user.email],
    ['role', (user) => user.role],
    ['status', (user) => user.status],
    ['group', (user) => user.group],
    ['quota', (user) => user.quota],
    ['amount', (user) => amount(user.quota)],
    ['used_quota', (user) => user.used_quota],
    ['used_amount', (user) => amount(user.used_quota)],
    ['request_count', (user) => user.request_count],
    ['aff_count', (user) => user.aff_count],
    ['aff_quota', (user) => user.aff_quota],
    ['aff_amount', (user) => amount(user.aff_quota)],
    ['aff_history_quota', (user) => user.aff_history_quota],
    ['aff_history_amount', (user) => amount(user.aff_history_quota)],
    ['inviter_id', (user) => user.inviter_id],
    ['created_time', (user) => isoSeconds(user.created_time)],
    ['deactivated_time', (user) => user.DeletedAt ?? ''],
  ]
}

function isoSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
