/** What the short form asks; everything else is on the token page. */
export interface NewTokenValue {
  readonly name: string
  readonly quotaUnits: number
  readonly isUnlimited: boolean
}

const QUOTA_DEFAULT = 500_000

export function newTokenValue(name: string): NewTokenValue {
  return { name, quotaUnits: QUOTA_DEFAULT, isUnlimited: false }
}

/** The body of the create call, with the contract's field names. */
export function bodyOf({ name, quotaUnits, isUnlimited }: NewTokenValue) {
  return { name: name.trim(), remain_quota: quotaUnits, unlimited_quota: isUnlimited }
}
