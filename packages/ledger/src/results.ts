import type { AccountId } from './account.ts'

export type ReserveResult =
  | { readonly type: 'reserved' }
  | ReserveRefusal
  /** The token has reached its limit of parallel calls. */
  | { readonly type: 'crowded' }
  /** The writer's queue is full for everybody (`gateway`) or for this user (`user`). */
  | { readonly type: 'busy'; readonly scope: 'gateway' | 'user' }
  /** The store cannot be written at the moment; nothing was changed. */
  | { readonly type: 'unavailable' }

export interface ReserveRefusal {
  readonly type: 'refused'
  /** `overdraft`: the balance covers the hold, but not what all calls in flight may cost together. */
  readonly by: 'user' | 'token' | 'budget' | 'overdraft'
  readonly remaining: bigint
  /**
   * Set for refusals by the user's balance under an {@link OverdraftRule}: whether no other call of the user
   * is in flight.
   */
  readonly isAlone?: boolean
}

export type ExtendResult =
  | { readonly type: 'extended'; readonly held: bigint }
  | { readonly type: 'refused' }
  | { readonly type: 'ended' }

export interface SettleResult {
  readonly charged: bigint
  readonly waived: bigint
  /** True when recovery had already ended the hold, so that a correction entry was written instead. */
  readonly late: boolean
}

export type CreditResult =
  | { readonly type: 'credited'; readonly repeated: boolean }
  | { readonly type: 'conflict' }

export type AdjustResult =
  | { readonly type: 'adjusted'; readonly before: bigint; readonly after: bigint; readonly repeated: boolean }
  | { readonly type: 'changed'; readonly actual: bigint }
  /** Tokens only: the change would take more than what remains. */
  | { readonly type: 'refused'; readonly remaining: bigint }
  | { readonly type: 'conflict' }

/** `changed`: the task no longer has the expected version, and nothing was refunded. */
export type RefundResult = CreditResult | { readonly type: 'changed' }

export type TransferResult =
  | { readonly type: 'transferred'; readonly repeated: boolean }
  | { readonly type: 'refused'; readonly remaining: bigint }
  | { readonly type: 'conflict' }

export type OpenResult =
  | { readonly type: 'opened'; readonly repeated: boolean }
  /** The key was used before with other amounts. */
  | { readonly type: 'conflict' }
  /** The account has other activity already. */
  | { readonly type: 'occupied' }

export type AllotResult =
  | {
      readonly type: 'allotted'
      /** The instance that holds the allotments. A process that was declared dead continues under a new id. */
      readonly instanceId: string
      readonly grants: readonly AllotmentGrant[]
    }
  | ReserveRefusal
  /** The token has reached its limit of parallel calls. */
  | { readonly type: 'crowded' }

/** What an instance may charge from now on, in addition to what it did not give back. */
export interface AllotmentGrant {
  readonly account: AccountId
  /** Includes the amount of the call; 0 for an unlimited token. */
  readonly amount: bigint
  readonly isUnlimited: boolean
  /** Possible cost beyond holds that other processes and durable holds have admitted (users only). */
  readonly exposedElsewhere: bigint
  /** Calls in flight elsewhere. */
  readonly openHoldsElsewhere: number
  readonly budget?: { readonly sinceMs: number; readonly amount: bigint }
}

export type FoldResult =
  /** `recovered`: calls without an end that were charged by their last checkpoint. */
  | { readonly type: 'folded'; readonly taken: readonly TakenQuota[]; readonly recovered: number }
  /** The range does not begin at the stored position; nothing was written. */
  | { readonly type: 'moved'; readonly position: number }

/** What charges took from an account itself, because the allotment did not cover them. */
export interface TakenQuota {
  readonly account: AccountId
  readonly amount: bigint
}
