import type { ChargeLine } from '@tollgate/billing/charge'
import { chargeParts, type PartLine, type PricedPart } from '@tollgate/billing/priced-parts'
import type { Decimal, Price } from '@tollgate/billing/price'
import type { Usage } from '@tollgate/billing/buckets'
import { resultOf } from './exact.ts'
import type { Receipt, ReceiptLine } from './receipt.ts'

/** The price at which a call was admitted, as stored in the log row. */
export type FrozenPrice = Omit<Price, 'version' | 'model' | 'group'> & { readonly version?: number }

/** A step that was charged beside the usage of its call, as stored in the log row. */
export interface FrozenPart {
  readonly kind: string
  readonly model?: string | undefined
  /** Absent in a row that cannot be read whole. */
  readonly price?: FrozenPrice | undefined
  readonly usage: Usage
}

/** The receipt of a call whose row contains its price and its usage, computed as the gateway does. */
export function frozenReceipt(price: FrozenPrice, usage: Usage, parts: readonly FrozenPart[] = []): Receipt {
  const charged = fullPrice(price, usage)
  const priced: readonly PricedPart[] = parts.map(({ kind, model, price: own, usage: used }) => ({
    kind,
    ...(model !== undefined && { model }),
    price: own === undefined ? charged : fullPrice(own, used),
    usage: used,
  }))
  const { units, lines, subtotal, groupRatio, exact, rounding } = chargeParts(charged, usage, priced)
  return {
    basis: 'frozen',
    priceVersion: price.version,
    lines: lines.map((line) => receiptLine(line, usage)),
    subtotal: resultOf(subtotal),
    groupRatio: resultOf(groupRatio),
    exact: resultOf(exact),
    rounding: rounding === 'half-away-from-zero' ? 'nearest' : rounding,
    units,
    quotaPerUnit: resultOf(price.quotaPerUnit),
  }
}

function fullPrice(price: FrozenPrice, usage: Usage): Price {
  const { version = 0 } = price
  return { model: '', group: '', ...price, version, toolPrices: toolPricesOf(price, usage) }
}

function receiptLine({ bucket, count, unitPrice, amount, part }: PartLine, { seconds }: Usage): ReceiptLine {
  return {
    ...(part !== undefined && { part }),
    name: bucket === 'call' && seconds !== undefined ? 'second' : bucket,
    count,
    unitPrice: resultOf(unitPrice),
    amount: resultOf(amount),
    per: perOf(bucket),
  }
}

function perOf(bucket: ChargeLine['bucket']): ReceiptLine['per'] {
  if (bucket === 'call' || bucket === 'picture') return 'one'
  return bucket.startsWith('tool:') ? 'thousand' : 'million'
}

/**
 * The counter under which the gateway records a drawing, song or video that it charges once. It is not a tool
 * and usually has no price.
 */
const SUBMISSION = 'submission'

/** The prices of the tools that were called, in their order; a tool without a price is shown at 0. */
function toolPricesOf({ toolPrices = {} }: FrozenPrice, { toolCalls = {} }: Usage): Record<string, Decimal> {
  const names = Object.keys(toolCalls).filter((name) => name !== SUBMISSION || name in toolPrices)
  return Object.fromEntries(names.map((name) => [name, toolPrices[name] ?? '0']))
}
