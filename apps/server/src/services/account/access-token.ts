import type { accountRoutes } from '@tollgate/contract/account'
import { setAccessTokenHash } from '@tollgate/store/accounts/users'
import type { Handler } from '../handler.ts'
import type { AccountServices } from './services.ts'

/** A caller who uses the token may also revoke it. */
export function removeAccessToken(
  services: AccountServices,
): Handler<typeof accountRoutes.removeAccessToken> {
  const { store, audit } = services
  return async ({ actor, address }) => {
    await setAccessTokenHash(store, { id: actor.id, hash: null })
    const row = { actorId: actor.id, action: 'remove', entity: 'access-token', entityId: actor.id }
    await audit.write({ ...row, address })
    return null
  }
}
