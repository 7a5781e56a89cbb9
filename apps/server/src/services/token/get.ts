import type { Token, tokenRoutes } from '@tollgate/contract/token'
import { problem } from '@tollgate/problems/problem'
import { type TokenRow, findToken } from '@tollgate/store/accounts/tokens'
import type { Actor, Handler } from '../handler.ts'
import { readRefusedToday, type TokenRefusal } from './refused-today.ts'
import type { TokenServices } from './services.ts'
import { keysForCaller } from './visible-keys.ts'
import { toWireToken } from './wire.ts'

export function getOwnToken(services: TokenServices): Handler<typeof tokenRoutes.get> {
  return async (call) => {
    const row = await ownToken(services.store, { id: call.params.id, ownerId: call.actor.id })
    const refusals = await readRefusedToday(services, [row.id])
    return showToken(services, call.actor, {
      row,
      key: (await keysForCaller(services, call, [row]))(row),
      refused: refusals.get(row.id),
    })
  }
}

/**
 * The token as its owner sees it. The remaining quota is remembered as the value that the owner was shown.
 */
export function showToken(
  { clock, shownQuotas }: TokenServices,
  actor: Pick<Actor, 'id' | 'via'>,
  { row, key, refused }: { row: TokenRow; key: string; refused: TokenRefusal | undefined },
): Token {
  const token = { ...toWireToken(row, clock, refused), key }
  shownQuotas.remember({ actor, entity: 'token', id: token.id }, token.remain_quota)
  return token
}

/** A token of another owner gets the same error as an unknown one. */
export async function ownToken(
  store: TokenServices['store'],
  which: { id: number; ownerId: number },
): Promise<TokenRow> {
  const row = await findToken(store, which)
  if (!row) throw problem('not_found')
  return row
}
