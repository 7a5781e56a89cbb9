import { DEACTIVATED_FILTER, type adminUserRoutes } from '@tollgate/contract/admin-user'
import { type UserFilter, countManagedUsers, listManagedUsers } from '@tollgate/store/accounts/managed-users'
import type { Handler } from '../handler.ts'
import type { AdminUserServices } from './services.ts'
import { toWireUsers } from './wire.ts'
import { readPage } from '../page.ts'

type List = typeof adminUserRoutes.list

/** Shared by the list and the search routes, which differ only in their path. */
export function listUsers(services: AdminUserServices): Handler<List> {
  const { store } = services
  return async ({ query, actor, language }) => {
    const filter = userFilter(query)
    return readPage(query, {
      list: (page) => listManagedUsers(store, filter, page),
      count: () => countManagedUsers(store, filter),
      show: (rows) => toWireUsers(services, rows, { actor, language }),
    })
  }
}

interface FilterQuery {
  readonly keyword: string | undefined
  readonly group: string | undefined
  readonly role: number | undefined
  readonly status: number | undefined
}

/** Deactivated users are listed with the others unless the query filters by status. */
export function userFilter({ keyword, group, role, status }: FilterQuery): UserFilter {
  if (status === undefined) return { keyword, group, role }
  if (status === DEACTIVATED_FILTER) return { keyword, group, role, isDeactivated: true }
  return { keyword, group, role, status, isDeactivated: false }
}
