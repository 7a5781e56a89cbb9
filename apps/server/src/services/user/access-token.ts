import type { userRoutes } from '@tollgate/contract/user'
import { randomAlphanumeric, sha256Hex } from '@tollgate/kit/ids'
import { setAccessTokenHash } from '@tollgate/store/users'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'

const CHARACTERS = 32

/** Shown here and never again: only its hash is kept. */
export function resetAccessToken(services: Services): Handler<typeof userRoutes.resetAccessToken> {
  const { store, audit } = services
  return async ({ actor, address }) => {
    const token = randomAlphanumeric(CHARACTERS)
    await setAccessTokenHash(store, { id: actor.id, hash: sha256Hex(token) })
    await audit.write({
      actorId: actor.id,
      action: 'reset',
      entity: 'access-token',
      entityId: actor.id,
      address,
    })
    return token
  }
}
