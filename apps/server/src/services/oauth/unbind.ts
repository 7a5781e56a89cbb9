import type { oauthRoutes } from '@tollgate/contract/oauth'
import { problem } from '@tollgate/kit/problem'
import { unbindIdentity } from '@tollgate/store/identities'
import type { Handler } from '../handler.ts'
import { doors } from './doors.ts'
import type { OAuthServices } from './services.ts'
import { canSignIn } from './way-in.ts'

/** Empties a slot. Who could not sign in any more afterwards is kept from it. */
export function unbindDoor(services: OAuthServices): Handler<typeof oauthRoutes.unbind> {
  const { store, options, audit } = services
  return async ({ params: { provider }, actor, address }) => {
    const result = await unbindIdentity(store, {
      userId: actor.id,
      provider,
      mayRemove: (left) => canSignIn(options, left),
    })
    const door = doors[provider].label
    if (result === 'absent') throw problem('identity_slot_empty', { door })
    if (result === 'refused') throw problem('identity_last_way_in', { door })
    const before = { provider }
    await audit.write({
      actorId: actor.id,
      action: 'unbind',
      entity: 'identity',
      entityId: actor.id,
      before,
      address,
    })
    return null
  }
}
