export interface ModelAccount {
  has: bigint
  used: bigint
  isUnlimited: boolean
  hasPaid: boolean
}

export interface ModelHold {
  readonly user: number
  readonly token: number | undefined
  ceiling: bigint
  isFollowed: boolean
  held: bigint
  checkpoint: bigint
}

export interface Done extends ModelHold {
  readonly isRecovered: boolean
  charge: bigint
  waived: bigint
  isLate: boolean
  isRefunded?: boolean
}

export const RESERVED = { type: 'reserved' }

export function positive(value: bigint): bigint {
  return value > 0n ? value : 0n
}

export function least(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}
