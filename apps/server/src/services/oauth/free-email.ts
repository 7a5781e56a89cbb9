import { Problem } from '@tollgate/problems/problem'
import { isEmailTaken } from '@tollgate/store/accounts/users'
import { readAccountEmail } from '../read-email.ts'
import type { OAuthServices } from './services.ts'

/**
 * Returns an email address that the provider has verified, if no user here has it and the site's rules accept
 * it. The address is only stored; the account was already determined by the identity.
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
