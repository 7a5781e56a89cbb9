import type { WaysIn } from '@tollgate/store/identities'
import type { Options } from '../services.ts'
import { isProviderEnabled } from './enabled-providers.ts'

/** Whether what an account has opens something that is open here. An e-mail address alone does not. */
export function canSignIn(options: Options, ways: WaysIn): boolean {
  const byPassword = ways.hasPassword && options.get('PasswordLoginEnabled')
  return byPassword || ways.providers.some((provider) => isProviderEnabled(options, provider))
}
