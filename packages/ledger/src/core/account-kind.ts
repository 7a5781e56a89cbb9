import type { AccountId, AccountKind } from '../account.ts'

const KINDS: readonly AccountKind[] = ['user', 'token', 'affiliate']

/** The inverse of {@link import('../ledger.ts').accountId}. */
export function accountKind(id: AccountId): AccountKind {
  const kind = KINDS[id % 4]
  if (kind === undefined) throw new RangeError(`${id} is no account id`)
  return kind
}

export function accountOwner(id: AccountId): number {
  return Math.floor(id / 4)
}

export function isUserAccount(id: AccountId): boolean {
  return id % 4 === 0
}

export function isTokenAccount(id: AccountId): boolean {
  return id % 4 === 1
}
