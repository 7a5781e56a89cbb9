import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { AccountId } from '../account.ts'
import type { SettleFlag } from '../settle-flag.ts'

/** What a process writes to its journal about its calls. Amounts are quota units. */
export type JournalLine = OpenedLine | ({ readonly type: 'checkpoint' } & CallCheckpoint) | CallEnd

export type OpenedLine = { readonly type: 'opened' } & OpenedCall

/** A call that was admitted within the allotments of the process. */
export interface OpenedCall {
  /** The request id. */
  readonly holdId: string
  readonly userAccount: AccountId
  readonly tokenAccount: AccountId | undefined
  /** The token was unlimited at admission: its quota follows the charge. */
  readonly isTokenFollowed: boolean
  /** Start of the budget period in which the call was admitted; `undefined` without a budget. */
  readonly budgetSinceMs: number | undefined
  readonly amount: bigint
  readonly ceiling: bigint
  readonly priceJson: string
  /** Content hashes of the prices of further models that may serve the call or help. */
  readonly furtherPrices?: readonly string[] | undefined
  readonly createdMs: number
}

/** What a call owes if it is interrupted now. The last checkpoint of a call counts. */
export interface CallCheckpoint {
  readonly holdId: string
  /** What the call would owe. Recovery charges at most `held`. */
  readonly amount: bigint
  /** The quota held now, after extensions, and the ceiling, which sessions raise. */
  readonly held: bigint
  readonly ceiling: bigint
  readonly channelId: number | undefined
}

export type CallEnd = SettledLine | ({ readonly type: 'released' } & ReleasedCall)

export type SettledLine = { readonly type: 'settled' } & SettledCall

/** A charged call. Complete by itself: folding it needs no other line. */
export interface SettledCall {
  readonly holdId: string
  readonly userAccount: AccountId
  readonly tokenAccount: AccountId | undefined
  readonly isTokenFollowed: boolean
  readonly budgetSinceMs: number | undefined
  /** Never above the ceiling; the rest of the price is `waived`. */
  readonly charged: bigint
  readonly waived: bigint
  /** For recovery of an instance that was declared dead: the ceiling bounds a late charge. */
  readonly ceiling: bigint
  /** Includes `waived` when something was waived. */
  readonly flags: readonly SettleFlag[]
  readonly channelId: number | undefined
  readonly priceJson: string
  readonly usageJson: string
  readonly endedMs: number
  /** As the relay built it; folding fills in quota and flags. */
  readonly log: UsageLogRow | undefined
  /** JSON of the prices that parts of the usage name by content hash. */
  readonly partPrices?: readonly string[] | undefined
}

/** A call that ended without a charge. */
export interface ReleasedCall {
  readonly holdId: string
  readonly endedMs: number
  readonly log: UsageLogRow | undefined
}
