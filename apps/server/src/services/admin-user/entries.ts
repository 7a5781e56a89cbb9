import type { adminUserRoutes } from '@tollgate/contract/admin-user'
import { countTokens, listTokens } from '@tollgate/store/accounts/tokens'
import { listAccountEntries } from '../entries/list.ts'
import type { Handler } from '../handler.ts'
import { readRefusedToday } from '../token/refused-today.ts'
import { toWireToken } from '../token/wire.ts'
import { visibleUser } from './get.ts'
import type { AdminUserServices } from './services.ts'
import { readPage } from '../page.ts'

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
    return readPage(query, {
      list: (page) => listTokens(store, filter, page),
      count: () => countTokens(store, filter),
      show: async (rows) => {
        const refusals = await readRefusedToday(
          services,
          rows.map(({ id }) => id),
        )
        return rows.map((row) => toWireToken(row, clock, refusals.get(row.id)))
      },
    })
  }
}
