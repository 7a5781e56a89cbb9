import type { Egress } from '@tollgate/egress/egress'
import type { SessionServices } from '../session/services.ts'
import type { SignInAddresses } from './addresses.ts'

/** Signing in through a provider needs egress, and refusals are logged. */
export interface OAuthServices extends SessionServices {
  readonly egress: Pick<Egress, 'exchange'>
  readonly signInAddresses: SignInAddresses
  /** Address of this process, used while no public address is set; never taken from a request. */
  readonly ownAddress: () => string
  readonly log: SignInLog
}

export interface SignInLog {
  warn(details: Readonly<Record<string, unknown>>, message: string): void
}
