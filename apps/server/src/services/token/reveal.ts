import type { tokenRoutes } from '@tollgate/contract/token'
import { problem } from '@tollgate/kit/problem'
import { findSealedTokenKey } from '@tollgate/store/tokens'
import type { Handler } from '../handler.ts'
import { openKey } from './key.ts'
import type { TokenServices } from './services.ts'

export function revealOwnKey(services: TokenServices): Handler<typeof tokenRoutes.reveal> {
  const { store, seal, audit } = services
  return async ({ actor, params: { id }, address }) => {
    const stored = await findSealedTokenKey(store, { id, ownerId: actor.id })
    if (!stored) throw problem('not_found')
    await audit.write({ actorId: actor.id, action: 'reveal', entity: 'token', entityId: id, address })
    return { id, key: openKey(stored, seal) }
  }
}
