import {
  DISPLAY_NAME_CHARACTERS_MAX,
  USERNAME_CHARACTERS_MAX,
  usernameSchema,
} from '@tollgate/contract/account-rules'
import { withoutControls } from '@tollgate/contract/text'
import { randomAlphanumeric } from '@tollgate/kit/ids'
import { Problem, problem } from '@tollgate/problems/problem'
import {
  findIdentityOwner,
  insertUserWithIdentity,
  isShownElsewhere,
  lastUserId,
} from '@tollgate/store/accounts/identities'
import { isUniqueViolation } from '@tollgate/store/database/traits'
import { createAccount } from '../session/create-account.ts'
import { providers } from './enabled-providers.ts'
import type { Person } from './oauth-provider.ts'
import type { OAuthServices } from './services.ts'
import { isEmailTaken } from '@tollgate/store/accounts/users'
import { readAccountEmail } from '../read-email.ts'

const ATTEMPTS_MAX = 6
/**
 * From this attempt on, the name gets a random suffix, because other registrations are counting up as well.
 */
const DRAWN_FROM = 3
const DRAWN_CHARACTERS = 6
const NOBODY = 0

interface Newcomer {
  readonly person: Person
  readonly affCode: string
}

/** Creates an account without a password and binds the identity in the same transaction. */
export async function registerPerson(services: OAuthServices, newcomer: Newcomer): Promise<number> {
  const { store, options } = services
  const { identity } = newcomer.person
  if (!options.get('RegisterEnabled')) throw problem('registration_closed')
  if (await isShownElsewhere(store, { identity, userId: NOBODY })) return madeMeanwhile(services, newcomer)
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const id = await tryRegister(services, newcomer, attempt)
    if (id !== undefined) return id
  }
  throw problem('username_taken')
}

/**
 * Either the same person has just registered in another window, or another person has the same subject at
 * another issuer, which is refused.
 */
async function madeMeanwhile({ store }: OAuthServices, { person }: Newcomer): Promise<number> {
  const owner = await findIdentityOwner(store, person.identity)
  if (!owner) throw problem('identity_taken', { provider: providers[person.identity.provider].label })
  return owner.id
}

/**
 * Returns `undefined` when the name, the address or the code was taken meanwhile; the next attempt uses
 * others.
 */
async function tryRegister(
  services: OAuthServices,
  { person, affCode }: Newcomer,
  attempt: number,
): Promise<number | undefined> {
  const { store, clock } = services
  const { identity } = person
  const email = await freeEmail(services, person.email)
  try {
    return await createAccount(services, {
      username: await nameFor(services, person, attempt),
      displayName: displayName(person.displayName),
      passwordHash: '',
      affCode,
      email,
      insert: (db, user) => insertUserWithIdentity(db, user, { identity, nowMs: clock.nowMs() }),
    })
  } catch (error) {
    if (!isTaken(error)) throw error
    // The same person registered twice at the same moment.
    const owner = await findIdentityOwner(store, identity)
    return owner?.id
  }
}

function isTaken(error: unknown): boolean {
  return isUniqueViolation(error) || (error instanceof Problem && error.code === 'username_taken')
}

/**
 * Tries the wished name first, then `github_7` with the next user id, then a random suffix. The result never
 * exceeds the maximum length.
 */
async function nameFor(
  { store }: OAuthServices,
  { identity, wishedName }: Person,
  attempt: number,
): Promise<string> {
  const wished = usernameSchema.safeParse(wishedName)
  if (attempt === 0 && wished.success) return wished.data
  const tail =
    attempt < DRAWN_FROM
      ? String((await lastUserId(store)) + 1 + attempt)
      : randomAlphanumeric(DRAWN_CHARACTERS).toLowerCase()
  return `${identity.provider.slice(0, USERNAME_CHARACTERS_MAX - 1 - tail.length)}_${tail}`
}

/** Removes control characters and limits the length. */
function displayName(text: string): string {
  return Array.from(withoutControls(text)).slice(0, DISPLAY_NAME_CHARACTERS_MAX).join('').trim()
}

/**
 * Returns an email address that the provider has verified, if no user here has it and the site's rules accept
 * it. The address is only stored; the account was already determined by the identity.
 */
async function freeEmail(
  { store, options }: OAuthServices,
  verified: string | undefined,
): Promise<string | undefined> {
  if (verified === undefined) return undefined
  try {
    const email = readAccountEmail(options, verified)
    return (await isEmailTaken(store, email)) ? undefined : email
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
