import type { tokenRoutes } from '@tollgate/contract/token'
import { problem } from '@tollgate/kit/problem'
import { type TokenRow, findToken } from '@tollgate/store/tokens'
import type { Handler } from '../handler.ts'
import type { TokenServices } from './services.ts'
import { toWireToken } from './wire.ts'

export function getOwnToken({ store, clock }: TokenServices): Handler<typeof tokenRoutes.get> {
  return async ({ actor, params }) =>
    toWireToken(await ownToken(store, { id: params.id, ownerId: actor.id }), clock)
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
