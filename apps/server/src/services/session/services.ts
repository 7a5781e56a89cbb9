import type { Limiter } from '@tollgate/coordination/limits'
import type { HumanCheck } from '../human-check/human-check.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Services } from '../services.ts'
import type { Passwords } from './passwords.ts'

/** Sign-in also proves passwords, and counts failures by account. */
export interface SessionServices extends Services {
  readonly passwords: Passwords
  /** Failed proofs of one account, from wherever they come. */
  readonly accountFailures: Limiter
  readonly humanCheck: HumanCheck
  /** A new user gets an API token. */
  readonly isDefaultTokenMade: boolean
  readonly outbox: Outbox
}
