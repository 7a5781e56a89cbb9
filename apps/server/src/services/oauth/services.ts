import type { Egress } from '@tollgate/egress/egress'
import type { SessionServices } from '../session/services.ts'
import type { SignInAddresses } from './addresses.ts'

/** Signing in elsewhere goes out, and what is refused is noted. */
export interface OAuthServices extends SessionServices {
  readonly egress: Pick<Egress, 'exchange'>
  readonly signInAddresses: SignInAddresses
  /** Where this process can be reached while no public address is set; never what a request claims. */
  readonly ownAddress: () => string
  readonly log: SignInLog
}

export interface SignInLog {
  warn(details: Readonly<Record<string, unknown>>, message: string): void
}
