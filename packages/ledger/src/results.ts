import type { AccountId } from './account.ts'

export type ReserveResult =
  | { readonly type: 'reserved' }
  | ReserveRefusal
  | CrowdedRefusal
  /** The writer's queue is full for everybody (`gateway`) or for this user (`user`). */
  | { readonly type: 'busy'; readonly scope: 'gateway' | 'user' }
  /** The store cannot be written at the moment; nothing was changed. */
  | { readonly type: 'unavailable' }

export interface ReserveRefusal extends RefusedReturns {
  readonly type: 'refused'
  /** `overdraft`: the balance covers the hold, but not what all calls in flight may cost together. */
  readonly by: 'user' | 'token' | 'budget' | 'overdraft'
  readonly remaining: bigint
  /**
   * Set for refusals by the user's balance under an {@link OverdraftRule}: whether no other call of the user
   * is in flight.
   */
  readonly isAlone?: boolean
  readonly elsewhere?: HeldElsewhere
}

/** The token has reached its limit of parallel calls. */
export interface CrowdedRefusal extends RefusedReturns {
  readonly type: 'crowded'
  readonly elsewhere?: HeldElsewhere
}

/** Refusals of `allot` only: what of the quota that came with the request could not be returned. */
interface RefusedReturns {
  readonly taken?: readonly TakenQuota[]
}

/** Other processes have quota or calls of the account that refused. */
export interface HeldElsewhere extends ScarceAccount {
  /** Some of them do not know yet that the account is scarce, and may return free quota. */
  readonly mayReturn: boolean
}

/** Until then a process keeps no free quota of the account and is granted exactly what a call needs. */
export interface ScarceAccount {
  readonly account: AccountId
  readonly untilMs: number
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
      /** As in {@link ReturnResult}. */
      readonly taken: readonly TakenQuota[]
    }
  | ReserveRefusal
  | CrowdedRefusal

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
  /** 0 when the account is not scarce. */
  readonly scarceUntilMs: number
}

/** Free quota is with its accounts again. */
export interface ReturnResult {
  readonly type: 'returned'
  readonly scarce: readonly ScarceAccount[]
  /** What a process reported as free, but charges that were folded before had used. */
  readonly taken: readonly TakenQuota[]
}

export interface RecallResult {
  readonly type: 'recalled'
  /** Accounts of which other processes may still use quota without asking. */
  readonly waiting: readonly AccountId[]
}

export type FoldResult =
  | FoldedRange
  /** The range does not begin at the stored position; nothing was written. */
  | { readonly type: 'moved'; readonly position: number }

export interface FoldedRange {
  readonly type: 'folded'
  /** The position that was reached, when the store failed before the end of the range. */
  readonly to?: number
  readonly taken: readonly TakenQuota[]
  /** Calls without an end that were charged by their last checkpoint. */
  readonly recovered: number
  /** Accounts that became scarce. */
  readonly scarce: readonly ScarceAccount[]
}

/**
 * Quota that charges took beyond what the process counts as spent: from the account itself, because the allotment
 * did not cover them, or from free quota that was on its way back. The process may spend as much more.
 */
export interface TakenQuota {
  readonly account: AccountId
  readonly amount: bigint
  /** The same of the budget of a token, which counts for itself. */
  readonly budget?: { readonly sinceMs: number; readonly amount: bigint }
}
