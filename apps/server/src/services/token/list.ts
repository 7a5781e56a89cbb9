import type { tokenRoutes } from '@tollgate/contract/token'
import { type TokenFilter, countTokens, listTokens } from '@tollgate/store/tokens'
import { Answer, type Handler } from '../handler.ts'
import { keyFilter } from './key.ts'
import type { TokenServices } from './services.ts'
import { toWireToken } from './wire.ts'

export function listOwnTokens(services: TokenServices): Handler<typeof tokenRoutes.list> {
  return ({ actor, query }) => answerPage(services, { ownerId: actor.id }, query)
}

export function searchOwnTokens(services: TokenServices): Handler<typeof tokenRoutes.search> {
  return ({ actor, query }) =>
    answerPage(services, { ownerId: actor.id, name: query.keyword, ...keyFilter(query.token) }, query)
}

async function answerPage(
  { store, clock }: TokenServices,
  filter: TokenFilter,
  { p, size }: { p: number; size: number },
) {
  const [rows, total] = await Promise.all([
    listTokens(store, filter, { offset: p * size, limit: size }),
    countTokens(store, filter),
  ])
  return new Answer({ data: rows.map((row) => toWireToken(row, clock)), extra: { total } })
}
