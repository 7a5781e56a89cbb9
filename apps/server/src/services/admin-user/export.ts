import { type AdminUser, EXPORT_ROWS_MAX, type adminUserRoutes } from '@tollgate/contract/admin-user'
import { listManagedUsers } from '@tollgate/store/managed-users'
import { csvLine } from '../csv.ts'
import type { Handler } from '../handler.ts'
import { userFilter } from './list.ts'
import type { AdminUserServices } from './services.ts'
import { toWireUsers } from './wire.ts'

/** The list as CSV. It leaves the site, so it is noted who took it. */
export function exportUsers(services: AdminUserServices): Handler<typeof adminUserRoutes.export> {
  const { store, clock, audit } = services
  return async ({ query, actor, language, address }) => {
    const filter = { ...userFilter(query), beforeId: query.before_id }
    const rows = await listManagedUsers(store, filter, { offset: 0, limit: EXPORT_ROWS_MAX })
    const users = await toWireUsers(services, rows, { actor, language })
    const isFirst = query.before_id === undefined
    if (isFirst)
      await audit.write({ actorId: actor.id, action: 'export', entity: 'user', entityId: 'several', address })
    const lines = users.map((user) => csvLine(COLUMNS.map(([, read]) => read(user))))
    return {
      file_name: `users-${new Date(clock.nowMs()).toISOString().slice(0, 'YYYY-MM-DD'.length)}.csv`,
      csv: [...(isFirst ? [csvLine(COLUMNS.map(([name]) => name))] : []), ...lines].join(''),
      rows: users.length,
      next_before_id: users.length < EXPORT_ROWS_MAX ? 0 : (users.at(-1)?.id ?? 0),
    }
  }
}

const COLUMNS: readonly (readonly [string, (user: AdminUser) => string | number])[] = [
  ['id', (user) => user.id],
  ['username', (user) => user.username],
  ['display_name', (user) => user.display_name],
  ['email', (user) => user.email],
  ['role', (user) => user.role],
  ['status', (user) => user.status],
  ['group', (user) => user.group],
  ['quota', (user) => user.quota],
  ['used_quota', (user) => user.used_quota],
  ['request_count', (user) => user.request_count],
  ['aff_count', (user) => user.aff_count],
  ['aff_quota', (user) => user.aff_quota],
  ['aff_history_quota', (user) => user.aff_history_quota],
  ['inviter_id', (user) => user.inviter_id],
  ['created_time', (user) => isoSeconds(user.created_time)],
  ['deactivated_time', (user) => user.DeletedAt ?? ''],
]

function isoSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
