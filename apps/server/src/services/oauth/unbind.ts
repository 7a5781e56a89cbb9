import type { oauthRoutes } from '@tollgate/contract/oauth'
import { problem } from '@tollgate/kit/problem'
import { unbindIdentity } from '@tollgate/store/accounts/identities'
import { notifyOwner } from '../account-safety/notify-owner.ts'
import type { Handler } from '../handler.ts'
import { providers } from './enabled-providers.ts'
import type { OAuthServices } from './services.ts'
import { canSignIn } from './sign-in-methods.ts'

/** Removes the binding of a provider. Refused if the user could not sign in any more. */
export function unbindProvider(services: OAuthServices): Handler<typeof oauthRoutes.unbind> {
  const { store, options, audit, outbox } = services
  return async ({ params: { provider }, actor, address, language }) => {
    const { label } = providers[provider]
    const change = {
      userId: actor.id,
      event: 'sign_in_unbound',
      provider: label.en,
      address,
      language,
    } as const
    const result = await unbindIdentity(store, {
      userId: actor.id,
      provider,
      mayRemove: (left) => canSignIn(options, left),
      whenRemoved: (transaction) => notifyOwner(services, change, transaction),
    })
    if (result === 'absent') throw problem('identity_slot_empty', { provider: label })
    if (result === 'refused') throw problem('identity_last_way_in', { provider: label })
    outbox.wake()
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
