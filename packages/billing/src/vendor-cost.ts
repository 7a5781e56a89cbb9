import { noUsage, type Usage } from '@tollgate/dialects/usage'
import type { Price } from './price.ts'
import { partsUnits, type PricedPart } from './priced-parts.ts'

/** One unit of quota for each, so that a charge can be raised by any number of units. */
const ONE_UNIT: Price = Object.freeze({
  version: 0,
  model: 'vendor_cost',
  group: '',
  groupRatio: '1',
  quotaPerUnit: '1',
  rule: Object.freeze({ type: 'call', price: '1' }),
})

interface ToldCharge {
  readonly price: Price
  readonly usage: Usage
  readonly parts: readonly PricedPart[]
  /** What the vendor told, in quota units. */
  readonly toldUnits: bigint
}

/**
 * The parts of a charge with one that raises it to what its price demands of the told cost: at least so many times.
 * `undefined` where the usage costs enough, and in free groups.
 */
export function raiseToVendorCost({
  price,
  usage,
  parts,
  toldUnits,
}: ToldCharge): readonly PricedPart[] | undefined {
  const ratio = Number(price.vendorCostRatio ?? 0)
  if (ratio === 0 || Number(price.groupRatio) === 0) return undefined
  const least = BigInt(Math.ceil(Number(toldUnits) * ratio))
  const missing = least - partsUnits(price, usage, parts)
  if (missing <= 0n) return undefined
  const raised = [...parts, writeRaise(missing)]
  // A charge that was less than one unit was rounded up before, and is not any more.
  return partsUnits(price, usage, raised) < least ? [...parts, writeRaise(missing + 1n)] : raised
}

function writeRaise(units: bigint): PricedPart {
  return { kind: 'vendor_cost', price: ONE_UNIT, usage: { ...noUsage, turns: Number(units) } }
}
