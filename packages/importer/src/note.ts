/** A remark about one row for the import report. */
export interface Note {
  readonly table: string
  readonly id: number | string
  /** Rows that were treated alike have the same code. */
  readonly code: NoteCode
  readonly detail: string
}

/**
 * Explains each code to the operator who runs the import, in the order of the report: what ends, limits, prices,
 * protects or pays first.
 */
export const NOTE_CODES = {
  'option-expression-refused':
    'models priced by an expression that cannot be converted: they have no price and are refused until you set one',
  'option-expression-converted':
    'models priced by an expression: their price is now a ratio, with steps by length and factors by service tier; compare it on the page of prices',
  'option-entry-refused':
    'entries of settings with values that are not allowed: they were left out, the other entries apply',
  'option-refused': 'settings with values that are not allowed: their defaults apply',
  'group-without-ratio': 'groups in use without a ratio: their users cannot call until the group gets one',
  'order-gateway-missing':
    'orders that wait for a payment gateway which this version does not have: they cannot be paid here; a payment that still arrives has to be credited by hand',
  'plan-ended':
    'plans in force: there are no plans here; their rest is not part of the balance, unless you import with --credit-plans',
  'plan-unlimited':
    'plans in force without a limit: there is no rest to credit; these people need quota or an answer from you',
  'plan-credited': 'plans in force whose rest was credited to the balance (--credit-plans)',
  'code-amount-impossible': 'redemption codes with a negative amount, or more than 2^53',
  'code-status-unknown': 'redemption codes with an unknown status: they are disabled',
  'code-overused': 'gift codes that were used more often than allowed: they count as used up',
  'gift-used-twice': 'second uses of one gift code by one user: the first is kept',
  'order-amount-impossible': 'top-up orders with an impossible amount: they were left out',
  'order-status-unknown': 'top-up orders with an unknown status: they are closed',
  'order-repeated': 'top-up orders whose number another order has too: the first keeps it',
  'order-without-number': 'top-up orders without a number: they cannot be paid and were left out',
  'figures-differ': 'accounts with contradictory amounts in the source: the spendable balance was kept',
  'figures-too-large': 'accounts and channels with more than 2^53 units: they keep 2^53',
  'token-status-unknown': 'tokens with an unknown status: they are disabled',
  'token-address-unreadable': 'tokens with unreadable allowed addresses: those lines allow nobody',
  'token-groups-cut': 'tokens with more groups than a token may have here: the first ones are kept',
  'token-key-repeated':
    'tokens whose key another token has too (ignoring surrounding spaces): the first keeps it',
  'token-without-key': 'tokens without a key: they are unusable and were left out',
  'token-without-owner': 'tokens of deleted users: they are unusable and were left out',
  'token-balance-ignored': 'unlimited tokens with a negative quota, which had no effect: they start at zero',
  'channel-type-converted':
    'channels of one-api whose type has another number here: check the address, and test them before people come',
  'channel-type-unknown':
    'channels of a type that this version does not support yet: they are kept but not used',
  'channel-keys-off':
    'channels with several keys of which some are switched off: they stay off, each with its reason',
  'channel-key-missing': 'channels without a usable key: they are disabled',
  'channel-key-unusual': 'channels whose key does not have the provider’s usual format',
  'channel-status-unknown': 'channels with an unknown status: they are disabled',
  'password-cost':
    'users whose password hash costs more than 64 MiB or 4 passes to check: it is not accepted; they need a new password',
  'user-password-foreign': 'users whose password hash has an unsupported format: they need a new password',
  'user-status-unknown': 'users with an unknown status: they are disabled',
  'user-role-unknown': 'users with an unknown role: they become ordinary users',
  'user-renamed':
    'users whose name another user has too (names are case-insensitive here): they sign in with a new name',
  'user-binding-dropped':
    'e-mail addresses, sign-in identities and access tokens that another user has too: the first active user keeps them',
  'user-webhook-plain':
    'users whose webhook has an http:// address: it keeps working without encryption; a new one needs https://, or for the super admin a host in EGRESS_ALLOW',
  'user-setting-dropped': 'users whose settings are not a JSON object: they start without settings',
  'option-door-left-open':
    'settings that would disable sign-in by password: it stays enabled until you turn it off after a sign-in with another method',
  'option-oidc-plain':
    'OIDC sign-in without a discovery document: it keeps working, but identity tokens are not checked and the user information identifies the user; fill in oidc.well_known, or oidc.issuer and oidc.jwks_uri, to have them checked',
  'option-not-supported': 'switches of features that this version does not have yet: they stay off',
  'abilities-differ': 'channels whose abilities differ from their models and groups: models and groups apply',
  'code-without-key': 'redemption codes without a code: they are unusable and were left out',
  'code-repeated':
    'redemption codes that exist twice (ignoring surrounding spaces): the first keeps the code',
  'option-alias': 'settings that have another name here',
  'option-kept': 'settings that already have another value here: it stays',
  'row-changed': 'rows that changed in the source after they were imported: the imported ones stay unchanged',
} as const

export type NoteCode = keyof typeof NOTE_CODES
