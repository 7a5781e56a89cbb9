import type { ChargeLine } from '@tollgate/billing/charge'
import type { PartLine } from '@tollgate/billing/priced-parts'
import type { FixedPoint } from '@tollgate/billing/decimal'

/**
 * One line of a receipt: `count` x `unitPrice` = `amount`. Prices and amounts are in quota units before the
 * group ratio.
 */
export interface ReceiptLine {
  readonly name: LineName
  /** The further step of the call to which the line belongs; absent for the call itself. */
  readonly part?: PartLine['part']
  readonly count: number
  /** Quota units per item. */
  readonly unitPrice: FixedPoint
  readonly amount: FixedPoint
  /** The number of items for which the unit price is shown. */
  readonly per: 'million' | 'thousand' | 'one'
}

export type LineName = ChargeLine['bucket'] | 'second'

/** A charge recomputed in the page from the usage and prices in the log row. */
export interface Receipt {
  /**
   * `frozen`: from the price at which the call was admitted; `ratios`: from the ratio fields that older
   * gateways wrote.
   */
  readonly basis: 'frozen' | 'ratios'
  readonly priceVersion: number | undefined
  readonly lines: readonly ReceiptLine[]
  readonly subtotal: FixedPoint
  readonly groupRatio: FixedPoint
  /** `subtotal` x `groupRatio`, before rounding. */
  readonly exact: FixedPoint
  readonly rounding: Rounding
  readonly units: bigint
  /** Quota units per unit of currency at the time of admission. */
  readonly quotaPerUnit: FixedPoint
}

export type Rounding = 'none' | 'nearest' | 'down' | 'minimum' | 'maximum'
