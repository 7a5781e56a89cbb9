import type { UsageBounds } from '@tollgate/billing/model-limits'
import type { Price } from '@tollgate/billing/price'
import type { Budget } from '@tollgate/ledger/inputs'
import type { CallFees } from '../../prices/call-fees.ts'
import type { NamedPrice } from '../../prices/further-models.ts'
import type { Admitted } from '../admit/admitted.ts'

/** A call whose hold is committed in the ledger. From here on it must be settled. */
export interface Held extends Admitted {
  readonly price: Price
  /** The prices of further models that the caller named. */
  readonly namedPrices?: readonly NamedPrice[]
  /** Quota units held at admission; a stream may enlarge the hold. */
  readonly units: bigint
  /** Price, in units, of the largest usage that the request permits. */
  readonly ceiling: bigint
  /** The bounds within which a reported usage is accepted. */
  readonly bounds: UsageBounds
  /** Tool calls that every response to this request includes but no response reports. */
  readonly toolCalls?: Readonly<Record<string, number>>
  /** The fees that the call may cause beside its tokens. */
  readonly fees?: CallFees
  /** The same call in the next group, used when every channel of this group fails. */
  readonly next?: Held
  /** The call was moved here from another group, whose price determined the hold. */
  readonly isMoved?: true
  /** The token's budget, for the period in which the call was admitted. */
  readonly budget?: Budget
  /** How long placing the hold took, in milliseconds. */
  readonly holdMs: number
}
