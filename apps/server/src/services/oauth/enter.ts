import type { Self } from '@tollgate/contract/user'
import { type Language, problem } from '@tollgate/kit/problem'
import { findIdentityOwner } from '@tollgate/store/identities'
import type { SessionControl } from '../handler.ts'
import { readSelf } from '../user/self.ts'
import { bindPerson } from './bind.ts'
import { providers } from './enabled-providers.ts'
import type { Person } from './person.ts'
import { registerPerson } from './register-person.ts'
import type { OAuthServices } from './services.ts'

const ENABLED = 1

interface Entering {
  readonly person: Person
  /** The code of who invited a new user, or "". */
  readonly affCode: string
  readonly session: SessionControl
  readonly address: string
  readonly language: Language
}

/** Signs a person in, with an account made for them when they have none. Answers as a password sign-in does. */
export async function enter(services: OAuthServices, entering: Entering): Promise<Self> {
  const id = (await knownUser(services, entering)) ?? (await registerPerson(services, entering))
  await entering.session.start(id, providers[entering.person.identity.provider].label.en)
  return readSelf(services, id)
}

/** The user an identity belongs to. One found by what an older system stored is pinned to the identity by this. */
export async function knownUser(
  services: OAuthServices,
  { person, address, language }: Pick<Entering, 'person' | 'address' | 'language'>,
): Promise<number | undefined> {
  const owner = await findIdentityOwner(services.store, person.identity)
  if (!owner) return undefined
  if (owner.isDeleted) throw problem('user_deactivated')
  if (owner.status !== ENABLED) throw problem('user_disabled')
  if (!owner.isPinned) await bindPerson(services, { person, userId: owner.id, address, language })
  return owner.id
}
