import type { SignInMethods } from '@tollgate/store/accounts/identities'
import type { Options } from '../services.ts'
import { isProviderEnabled } from './enabled-providers.ts'

/**
 * Whether the account has a sign-in method that is enabled on this site. An email address alone is not one.
 */
export function canSignIn(options: Options, ways: SignInMethods): boolean {
  const byPassword = ways.hasPassword && options.get('PasswordLoginEnabled')
  return byPassword || ways.providers.some((provider) => isProviderEnabled(options, provider))
}
