import type { Token, tokenRoutes } from '@tollgate/contract/token'
import { problem } from '@tollgate/kit/problem'
import { type TokenRow, findToken } from '@tollgate/store/tokens'
import type { Actor, Handler } from '../handler.ts'
import type { TokenServices } from './services.ts'
import { toWireToken } from './wire.ts'

export function getOwnToken(services: TokenServices): Handler<typeof tokenRoutes.get> {
  return async ({ actor, params }) =>
    showToken(services, actor, await ownToken(services.store, { id: params.id, ownerId: actor.id }))
}

/** The token as its owner sees it; what remains is remembered as what they were shown. */
export function showToken(
  { clock, shownQuotas }: TokenServices,
  actor: Pick<Actor, 'id' | 'via'>,
  row: TokenRow,
): Token {
  const token = toWireToken(row, clock)
  shownQuotas.remember({ actor, entity: 'token', id: token.id }, token.remain_quota)
  return token
}

/** Another owner's token answers like a missing one. */
export async function ownToken(
  store: TokenServices['store'],
  which: { id: number; ownerId: number },
): Promise<TokenRow> {
  const row = await findToken(store, which)
  if (!row) throw problem('not_found')
  return row
}
