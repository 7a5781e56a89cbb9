import type { HumanCheck } from '../human-check/human-check.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Services } from '../services.ts'
import type { KnownNetworks } from './known-networks.ts'
import type { PasswordAttempts } from './password-attempts.ts'
import type { Passwords } from './passwords.ts'

/** Signing in also verifies passwords and counts attempts. */
export interface SessionServices extends Services {
  readonly passwords: Passwords
  readonly guesses: PasswordAttempts
  readonly networks: KnownNetworks
  readonly humanCheck: HumanCheck
  /** Whether a new user gets an API token. */
  readonly isDefaultTokenMade: boolean
  readonly outbox: Outbox
}
