import type { tokenRoutes } from '@tollgate/contract/token'
import { type TokenFilter, countTokens, listTokens } from '@tollgate/store/accounts/tokens'
import { Answer, type Handler } from '../handler.ts'
import { searched } from '../searches.ts'
import { showToken } from './get.ts'
import { keyOrName, keyFilter } from './key.ts'
import { readRefusedToday } from './refused-today.ts'
import type { TokenServices } from './services.ts'
import { type KeyAsking, keysForCaller } from './visible-keys.ts'

export function listOwnTokens(services: TokenServices): Handler<typeof tokenRoutes.list> {
  return (call) => answerPage(services, call, { filter: { ownerId: call.actor.id }, query: call.query })
}

export function searchOwnTokens(services: TokenServices): Handler<typeof tokenRoutes.search> {
  return (call) => {
    const { actor, query } = call
    const byName = { name: query.keyword, ...keyOrName(query.keyword) }
    const filter = { ownerId: actor.id, ...byName, ...keyFilter(query.token) }
    return answerPage(services, call, { filter, query })
  }
}

interface PageInput {
  readonly filter: TokenFilter
  readonly query: { readonly p: number; readonly size: number }
}

async function answerPage(services: TokenServices, call: KeyAsking, { filter, query }: PageInput) {
  const page = { offset: query.p * query.size, limit: query.size }
  const [rows, total] = await searched(services, { actorId: call.actor.id, query }, ({ store }) =>
    Promise.all([listTokens(store, filter, page), countTokens(store, filter)]),
  )
  const keyOf = await keysForCaller(services, call, rows)
  const refusals = await readRefusedToday(
    services,
    rows.map(({ id }) => id),
  )
  const data = rows.map((row) =>
    showToken(services, call.actor, { row, key: keyOf(row), refused: refusals.get(row.id) }),
  )
  return new Answer({ data, extra: { total } })
}
