/** Computed as owner id x 4 + kind, so that no lookup is needed. */
export type AccountId = number

export type AccountKind = 'user' | 'token' | 'affiliate'

const KIND_CODE: Record<AccountKind, number> = { user: 0, token: 1, affiliate: 2 }

export function accountId(kind: AccountKind, ownerId: number): AccountId {
  return ownerId * 4 + KIND_CODE[kind]
}

export interface Balance {
  readonly granted: bigint
  /** Includes quota that is allotted to processes and free there. */
  readonly remaining: bigint
  /** Held by calls, or charged by calls that are not folded yet. */
  readonly reserved: bigint
  readonly used: bigint
  readonly debt: bigint
  /** Quota that is set aside for processes, and the part of it that no call holds or has spent. */
  readonly allotted: bigint
  readonly free: bigint
  /** Users only: the sum of `ceiling - amount` over their calls in flight. */
  readonly exposed: bigint
  /** Users only: some of the quota was paid for, or the account was imported from another system. */
  readonly hasPaid: boolean
  /** Tokens only: usage is counted, but the balance is not checked. */
  readonly unlimited: boolean
  readonly version: number
}
