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
    'users whose name another one has as well here, where letter case does not count: they sign in by a new name',
  'user-binding-dropped':
    'e-mail addresses, sign-in identities and access tokens that another user has as well: the first live user keeps them',
  'user-role-unknown': 'users with an unknown role: they are ordinary users here',
  'user-status-unknown': 'users with an unknown status: they are disabled',
  'user-setting-dropped': 'users whose settings are no JSON object: they start with none',
  'user-webhook-plain':
    'users whose webhook has an http:// address: it goes on being used, unencrypted; a new one needs https://, or for the super admin a host in EGRESS_ALLOW',
  'user-password-foreign':
    'users whose password is in a form that cannot be proven here: they need a new one',
  'figures-differ': 'accounts whose figures contradict each other in the source: what can be spent was kept',
  'figures-too-large': 'accounts and channels with more than 2^53 units: they keep 2^53',
  'token-without-key': 'tokens without a key: nobody could use them',
  'token-key-repeated':
    'tokens whose key, without the blanks around it, another one has as well: the first keeps it',
  'token-without-owner': 'tokens of users who are gone: nobody could use them',
  'token-status-unknown': 'tokens with an unknown status: they are disabled',
  'token-balance-ignored':
    'unlimited tokens with a negative quota, which was never checked: they start at zero',
  'token-address-unreadable': 'tokens with addresses that cannot be read: those lines allow nobody here',
  'channel-status-unknown': 'channels with an unknown status: they are disabled',
  'channel-type-unknown': 'channels of a type that this version does not serve yet: they are kept and rest',
  'channel-key-missing': 'channels without a usable key: they are disabled',
  'channel-key-unusual': 'channels with a key in another form than the provider gives out',
  'abilities-differ':
    'channels whose list of abilities differs from their models and groups, which decide here',
  'code-without-key': 'redemption codes without a code: nobody could use them',
  'code-repeated':
    'redemption codes that, without the blanks around them, another one has as well: the first keeps it',
  'code-amount-impossible': 'redemption codes that would take quota away, or give more than 2^53',
  'code-status-unknown': 'redemption codes with an unknown status: they are disabled',
  'code-overused': 'gift codes that were used more often than they may be: they are used up',
  'gift-used-twice': 'second uses of one gift code by one user: the first is kept',
  'order-without-number': 'top-up orders without a number: nobody could pay them',
  'order-repeated': 'top-up orders whose number another order has as well: the first keeps it',
  'order-amount-impossible': 'top-up orders of an amount that cannot be: nobody could pay them',
  'order-status-unknown': 'top-up orders with an unknown status: they are closed',
  'option-refused': 'settings with values that are not allowed here: their defaults apply',
  'option-not-supported': 'switches of features that this version does not have yet: they stay off',
  'option-oidc-plain':
    'OIDC sign-in without a well-known address: it goes on, but identity tokens are not checked and the user information says who somebody is; fill in oidc.well_known, or oidc.issuer and oidc.jwks_uri, to have them checked',
  'option-door-left-open':
    'settings that would close the way in by password: it stays open until somebody signed in here another way',
  'option-unknown': 'settings that this version does not know: they are in the side file',
  'option-kept': 'settings that have another value here already: it stays',
  'group-without-ratio': 'groups in use that have no ratio: nobody can call through them until they get one',
  'row-changed': 'rows that changed in the source since they were imported: they stay as they are here',
} as const

export type NoteCode = keyof typeof NOTE_CODES
