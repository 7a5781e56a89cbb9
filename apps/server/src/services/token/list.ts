import type { tokenRoutes } from '@tollgate/contract/token'
import { type TokenFilter, countTokens, listTokens } from '@tollgate/store/tokens'
import { type Actor, Answer, type Handler } from '../handler.ts'
import { showToken } from './get.ts'
import { keyFilter } from './key.ts'
import type { TokenServices } from './services.ts'

export function listOwnTokens(services: TokenServices): Handler<typeof tokenRoutes.list> {
  return ({ actor, query }) => answerPage(services, { actor, filter: { ownerId: actor.id }, query })
}

export function searchOwnTokens(services: TokenServices): Handler<typeof tokenRoutes.search> {
  return ({ actor, query }) => {
    const filter = { ownerId: actor.id, name: query.keyword, ...keyFilter(query.token) }
    return answerPage(services, { actor, filter, query })
  }
}

interface PageInput {
  readonly actor: Actor
  readonly filter: TokenFilter
  readonly query: { readonly p: number; readonly size: number }
}

async function answerPage(services: TokenServices, { actor, filter, query: { p, size } }: PageInput) {
  const { store } = services
  const [rows, total] = await Promise.all([
    listTokens(store, filter, { offset: p * size, limit: size }),
    countTokens(store, filter),
  ])
  return new Answer({ data: rows.map((row) => showToken(services, actor, row)), extra: { total } })
}
