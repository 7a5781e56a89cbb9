import type { adminUserRoutes } from '@tollgate/contract/admin-user'
import { countTokens, listTokens } from '@tollgate/store/accounts/tokens'
import { listAccountEntries } from '../entries/list.ts'
import type { Handler } from '../handler.ts'
import { toWireToken } from '../token/wire.ts'
import { visibleUser } from './get.ts'
import type { AdminUserServices } from './services.ts'

export function listUserEntries(services: AdminUserServices): Handler<typeof adminUserRoutes.entries> {
  return async ({ params, query, actor, language }) => {
    await visibleUser(services, params.id, { actor, language })
    return listAccountEntries(services, { userId: params.id, query, showsChannels: true })
  }
}

export function listUserTokens(services: AdminUserServices): Handler<typeof adminUserRoutes.tokens> {
  const { store, clock } = services
  return async ({ params, query, actor, language }) => {
    await visibleUser(services, params.id, { actor, language })
    const filter = { ownerId: params.id }
    const page = { offset: (query.p - 1) * query.page_size, limit: query.page_size }
    const [rows, total] = await Promise.all([listTokens(store, filter, page), countTokens(store, filter)])
    const items = rows.map((row) => toWireToken(row, clock))
    return { items, total, page: query.p, page_size: query.page_size }
  }
}
