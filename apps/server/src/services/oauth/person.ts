import type { Identity } from '@tollgate/store/accounts/identities'

/** A person as the sign-in provider describes them. */
export interface Person {
  readonly identity: Identity
  readonly displayName: string
  /** The user name the person would like; used if it is free and valid here. */
  readonly wishedName?: string
  /** Only an address that the provider has verified. */
  readonly email?: string
}
