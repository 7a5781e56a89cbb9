import { Problem } from '@tollgate/kit/problem'
import { isEmailTaken } from '@tollgate/store/users'
import { readAccountEmail } from '../read-email.ts'
import type { OAuthServices } from './services.ts'

/**
 * An address a provider has verified, when nobody has it here and the site would take it. It is only ever noted down:
 * whose account it is was decided by the identity before.
 */
export async function freeEmail(
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
