import type { oauthRoutes } from '@tollgate/contract/oauth'
import { problem } from '@tollgate/problems/problem'
import { unbindIdentity } from '@tollgate/store/accounts/identities'
import { notifyOwner } from '../account-safety/notify-owner.ts'
import type { Handler } from '../handler.ts'
import { canSignIn, providers } from './enabled-providers.ts'
import type { OAuthServices } from './services.ts'

/** Removes the binding of a provider. Refused if the user could not sign in any more. */
export function unbindProvider(services: OAuthServices): Handler<typeof oauthRoutes.unbind> {
  const { options, outbox, change } = services
  return async (call) => {
    const { address, language } = call
    const { provider } = call.params
    const { id: userId } = call.actor
    const { label } = providers[provider]
    const event = { userId, event: 'sign_in_unbound', provider: label.en, address, language } as const
    await change(call, {
      action: 'unbind',
      entity: 'identity',
      work: async (transaction) => {
        const result = await unbindIdentity(transaction, {
          userId,
          provider,
          mayRemove: (left) => canSignIn(options, left),
          whenRemoved: () => notifyOwner(services, event, transaction),
        })
        if (result === 'absent') throw problem('identity_slot_empty', { provider: label })
        if (result === 'refused') throw problem('identity_last_way_in', { provider: label })
      },
      row: { entityId: userId, before: { provider } },
    })
    outbox.wake()
    return null
  }
}
