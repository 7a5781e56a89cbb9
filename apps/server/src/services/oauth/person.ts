import type { Identity } from '@tollgate/store/identities'

/** Whoever stands at a door, as the provider vouches for them. */
export interface Person {
  readonly identity: Identity
  readonly displayName: string
  /** What they would like to be called here, if it is free and fits our rules. */
  readonly wishedName?: string
  /** Only an address the provider has verified. */
  readonly email?: string
}
