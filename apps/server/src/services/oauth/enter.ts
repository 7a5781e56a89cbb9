import type { Self } from '@tollgate/contract/user'
import { USER_STATUS } from '@tollgate/kit/codes'
import { type Language, problem } from '@tollgate/problems/problem'
import { findIdentityOwner } from '@tollgate/store/accounts/identities'
import type { SessionControl } from '../handler.ts'
import { readSelf } from '../user/self.ts'
import { bindPerson } from './bind.ts'
import { providers } from './enabled-providers.ts'
import type { Person } from './oauth-provider.ts'
import { registerPerson } from './register-person.ts'
import type { OAuthServices } from './services.ts'

interface Entering {
  readonly person: Person
  /** Invitation code for a new user, or "". */
  readonly affCode: string
  readonly session: SessionControl
  readonly address: string
  readonly language: Language
}

/**
 * Signs a person in and creates an account if they have none. The response is the same as for a password
 * sign-in.
 */
export async function enter(services: OAuthServices, entering: Entering): Promise<Self> {
  const id = (await knownUser(services, entering)) ?? (await registerPerson(services, entering))
  await entering.session.start(id, providers[entering.person.identity.provider].label.en)
  return readSelf(services, id)
}

/**
 * Returns the user whom an identity belongs to. If it was found by an identifier that an imported database
 * stored, it is bound to the account permanently now.
 */
export async function knownUser(
  services: OAuthServices,
  { person, address, language }: Pick<Entering, 'person' | 'address' | 'language'>,
): Promise<number | undefined> {
  const owner = await findIdentityOwner(services.store, person.identity)
  if (!owner) return undefined
  if (owner.isDeleted) throw problem('user_deactivated')
  if (owner.status !== USER_STATUS.enabled) throw problem('user_disabled')
  if (!owner.isPinned) await bindPerson(services, { person, userId: owner.id, address, language })
  return owner.id
}
