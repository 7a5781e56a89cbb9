import type { UsageBounds } from '@tollgate/billing/model-limits'
import type { Price } from '@tollgate/billing/price'
import type { Budget } from '@tollgate/ledger/ledger'
import type { Admitted } from '../admit/admitted.ts'

/** A call whose quota is set aside and durable. From here on it must be settled. */
export interface Held extends Admitted {
  readonly price: Price
  /** Set aside at admission; a stream may enlarge it. */
  readonly units: bigint
  /** Price of the largest call the request permits. */
  readonly ceiling: bigint
  /** What a believable usage looks like. */
  readonly bounds: UsageBounds
  /** Calls of tools that every answer to this call includes and no answer tells of. */
  readonly toolCalls?: Readonly<Record<string, number>>
  /** The same call in the group that follows, should every channel of this one fail. */
  readonly next?: Held
  /** Another group had it first, at whose price the hold was placed. */
  readonly isMoved?: true
  /** Of the token, in the period in which the call was admitted. */
  readonly budget?: Budget
  /** How long placing the hold took. */
  readonly holdMs: number
}
