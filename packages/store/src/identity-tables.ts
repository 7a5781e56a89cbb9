/** Who people are elsewhere, and sign-ins that are under way there. */

export interface IdentityTable {
  /** SHA-256 of provider, issuer and subject: one identity belongs to one user. */
  identity_hash: string
  provider: string
  /** Who gave the subject out; "" where a provider has one issuer only. */
  issuer: string
  subject: string
  /** One of a provider to a user. */
  user_id: number
  created_ms: number
}

/** A sign-in begun here that has to come back. Gone once it did. */
export interface OAuthStateTable {
  state_hash: string
  /** Of the browser it was begun in. */
  browser_hash: string
  /** "" when an older console did not say; then any of the providers that come back with a code. */
  provider: string
  /** Whose account is to be bound; 0 to sign in. */
  user_id: number
  /** Sealed proof key of the code exchange; "" where there is none. */
  verifier_sealed: string
  /** What the identity token has to repeat; "" where there is none. */
  nonce: string
  aff_code: string
  expires_ms: number
}

/** Signed messages and tokens of others that were used here, until they are too old to be used at all. */
export interface SpentMarkTable {
  mark_hash: string
  expires_ms: number
}

/** A network that an account has signed in from. */
export interface KnownNetworkTable {
  /** Keyed hash of account and network: the address itself is not kept. */
  network_hash: string
  user_id: number
  /** Of the last sign-in. */
  seen_ms: number
}
