/** A remark about one row for the import report. */
export interface Note {
  readonly table: string
  readonly id: number | string
  /** Rows that were treated alike have the same code. */
  readonly code: NoteCode
  readonly detail: string
}

/** Explains each code to the operator who runs the import. */
export const NOTE_CODES = {
  'user-renamed':
    'users whose name another user has too (names are case-insensitive here): they sign in with a new name',
  'user-binding-dropped':
    'e-mail addresses, sign-in identities and access tokens that another user has too: the first active user keeps them',
  'user-role-unknown': 'users with an unknown role: they become ordinary users',
  'user-status-unknown': 'users with an unknown status: they are disabled',
  'user-setting-dropped': 'users whose settings are not a JSON object: they start without settings',
  'user-webhook-plain':
    'users whose webhook has an http:// address: it keeps working without encryption; a new one needs https://, or for the super admin a host in EGRESS_ALLOW',
  'user-password-foreign': 'users whose password hash has an unsupported format: they need a new password',
  'figures-differ': 'accounts with contradictory amounts in the source: the spendable balance was kept',
  'figures-too-large': 'accounts and channels with more than 2^53 units: they keep 2^53',
  'token-without-key': 'tokens without a key: they are unusable and were left out',
  'token-key-repeated':
    'tokens whose key another token has too (ignoring surrounding spaces): the first keeps it',
  'token-without-owner': 'tokens of deleted users: they are unusable and were left out',
  'token-status-unknown': 'tokens with an unknown status: they are disabled',
  'token-balance-ignored': 'unlimited tokens with a negative quota, which had no effect: they start at zero',
  'token-address-unreadable': 'tokens with unreadable allowed addresses: those lines allow nobody',
  'channel-status-unknown': 'channels with an unknown status: they are disabled',
  'channel-type-unknown':
    'channels of a type that this version does not support yet: they are kept but not used',
  'channel-key-missing': 'channels without a usable key: they are disabled',
  'channel-key-unusual': 'channels whose key does not have the provider’s usual format',
  'abilities-differ': 'channels whose abilities differ from their models and groups: models and groups apply',
  'code-without-key': 'redemption codes without a code: they are unusable and were left out',
  'code-repeated':
    'redemption codes that exist twice (ignoring surrounding spaces): the first keeps the code',
  'code-amount-impossible': 'redemption codes with a negative amount, or more than 2^53',
  'code-status-unknown': 'redemption codes with an unknown status: they are disabled',
  'code-overused': 'gift codes that were used more often than allowed: they count as used up',
  'gift-used-twice': 'second uses of one gift code by one user: the first is kept',
  'order-without-number': 'top-up orders without a number: they cannot be paid and were left out',
  'order-repeated': 'top-up orders whose number another order has too: the first keeps it',
  'order-amount-impossible': 'top-up orders with an impossible amount: they were left out',
  'order-status-unknown': 'top-up orders with an unknown status: they are closed',
  'option-refused': 'settings with values that are not allowed: their defaults apply',
  'option-not-supported': 'switches of features that this version does not have yet: they stay off',
  'option-oidc-plain':
    'OIDC sign-in without a discovery document: it keeps working, but identity tokens are not checked and the user information identifies the user; fill in oidc.well_known, or oidc.issuer and oidc.jwks_uri, to have them checked',
  'option-door-left-open':
    'settings that would disable sign-in by password: it stays enabled until you turn it off after a sign-in with another method',
  'option-unknown': 'settings that this version does not know: they are in the side file',
  'option-kept': 'settings that already have another value here: it stays',
  'group-without-ratio': 'groups in use without a ratio: their users cannot call until the group gets one',
  'row-changed': 'rows that changed in the source after they were imported: the imported ones stay unchanged',
} as const

export type NoteCode = keyof typeof NOTE_CODES
