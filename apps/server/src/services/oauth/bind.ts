import { type Language, problem } from '@tollgate/problems/problem'
import { bindIdentity } from '@tollgate/store/accounts/identities'
import { notifyOwner } from '../account-safety/notify-owner.ts'
import { providers } from './enabled-providers.ts'
import type { Person } from './oauth-provider.ts'
import type { OAuthServices } from './services.ts'

interface BindingWish {
  readonly person: Person
  readonly userId: number
  readonly address: string
  readonly language: Language
}

/**
 * Binds an identity to the user. Refused if another user has that identity, or if the user already has one of
 * this provider.
 */
export async function bindPerson(
  services: OAuthServices,
  { person, userId, address, language }: BindingWish,
): Promise<void> {
  const { clock, outbox, change } = services
  const { identity } = person
  const provider = providers[identity.provider].label
  const event = { userId, event: 'sign_in_bound', provider: provider.en, address, language } as const
  const by = { actor: { id: userId }, address }
  await change(by, {
    action: 'bind',
    entity: 'identity',
    work: async (transaction) => {
      const result = await bindIdentity(transaction, {
        identity,
        userId,
        nowMs: clock.nowMs(),
        whenFilled: () => notifyOwner(services, event, transaction),
      })
      if (result === 'taken') throw problem('identity_taken', { provider })
      if (result === 'filled') throw problem('identity_slot_filled', { provider })
      if (result === 'gone') throw problem('not_found')
    },
    row: { entityId: userId, after: { provider: identity.provider, subject: identity.subject } },
  })
  outbox.wake()
}
