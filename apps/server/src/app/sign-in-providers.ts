import type { Egress } from '@tollgate/egress/egress'
import type { Clock } from '@tollgate/kit/clock'
import type { Store } from '@tollgate/store/database/open-store'
import { openHumanCheck } from '../services/human-check/human-check.ts'
import { type SignInAddresses, signInAddresses } from '../services/oauth/addresses.ts'
import { isProviderEnabled } from '../services/oauth/enabled-providers.ts'
import type { SignInLog } from '../services/oauth/services.ts'
import { isSwitchedOn } from '../services/option/switched-on.ts'
import type { Options } from '../services/services.ts'

export interface SignInProviderParts {
  readonly store: Store
  readonly clock: Clock
  readonly egress: Egress
  readonly settings: Options
  readonly log: SignInLog
  /** Addresses of test servers that stand in for the sign-in providers. */
  readonly providers: SignInAddresses | undefined
}

/** Opens the external services that signing in depends on: the sign-in providers and the CAPTCHA check. */
export function openSignInProviders({
  store,
  clock,
  egress,
  settings,
  log,
  providers = signInAddresses,
}: SignInProviderParts) {
  const humanCheck = openHumanCheck({
    options: settings,
    egress,
    store: store.db,
    clock,
    verifyAddress: providers.turnstile,
    log,
  })
  return { humanCheck, signInAddresses: providers, log }
}

/** Origins of the scripts that pages may load: those of the widgets that are switched on, and no others. */
export function widgetOrigins(options: Options): readonly string[] {
  return [
    ...(isSwitchedOn(options, 'TurnstileCheckEnabled') ? ['https://challenges.cloudflare.com'] : []),
    ...(isProviderEnabled(options, 'telegram') ? ['https://telegram.org'] : []),
  ]
}
