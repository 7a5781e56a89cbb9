/** Identities of users at sign-in providers, and sign-ins that are in progress there. */

export interface IdentityTable {
  /** SHA-256 of provider, issuer and subject. One identity belongs to one user. */
  identity_hash: string
  provider: string
  /** The issuer of the subject; "" for a provider with only one issuer. */
  issuer: string
  subject: string
  /** A user has at most one identity per provider. */
  user_id: number
  created_ms: number
}

/** A sign-in that was started here and waits for its callback. The row is deleted by the callback. */
export interface OAuthStateTable {
  state_hash: string
  /** Identifies the browser that started the sign-in. */
  browser_hash: string
  /** "" when an older console sent no provider; then any provider with a code callback is accepted. */
  provider: string
  /** The user whose account the identity is to be bound to; 0 for a sign-in. */
  user_id: number
  /** The PKCE code verifier, encrypted; "" where there is none. */
  verifier_sealed: string
  /** The nonce that the identity token must contain; "" where there is none. */
  nonce: string
  aff_code: string
  expires_ms: number
}

/**
 * Signed messages and tokens of other systems that were already used here. A row is kept until its message
 * has expired and would be rejected anyway.
 */
export interface UsedTokenTable {
  mark_hash: string
  expires_ms: number
}

/** A network from which a user has signed in. */
export interface KnownNetworkTable {
  /** Keyed hash of user and network. The address itself is not stored. */
  network_hash: string
  user_id: number
  /** Time of the last sign-in from this network. */
  seen_ms: number
}
