import { type ChargedRow, ratios } from './gateway.ts'
import type { Exchange } from './vendor/open-vendor.ts'
import type { VendorUsage } from './vendor/vendor-dialect.ts'

/** Compares the charges with the vendor's bill, to the unit. */
export function billingFaults(input: {
  readonly book: readonly Exchange[]
  readonly rows: readonly ChargedRow[]
  readonly spent: bigint
  /** Broken streams of which nothing had reached the caller: the call failed and costs nothing. */
  readonly failed?: number
}): readonly string[] {
  const { book, rows, spent, failed = 0 } = input
  const open = rows.map(({ quota }) => quota)
  const missing: string[] = []
  for (const { usage } of book) {
    if (!usage) continue
    const due = chargeFor(usage)
    const index = open.indexOf(due)
    if (index < 0) missing.push(`no charge of ${due} for ${JSON.stringify(usage)}`)
    else open.splice(index, 1)
  }
  const broken = book.filter(({ isBroken }) => isBroken).length
  const charged = rows.reduce((sum, { quota }) => sum + quota, 0n)
  const cached = rows.reduce((sum, row) => sum + row.cached, 0)
  const cachedByVendor = book.reduce((sum, { usage }) => sum + (usage?.cacheRead ?? 0), 0)
  return [
    ...missing,
    ...(open.length === broken - failed
      ? []
      : [`${open.length} further charges (${open.join()}) for ${broken} broken streams`]),
    // A stream that broke off has no usage of the vendor, and may have been counted as cached or not.
    ...(cached === cachedByVendor || broken > 0
      ? []
      : [`the rows have ${cached} cached tokens, the vendor's book has ${cachedByVendor}`]),
    ...(charged === spent ? [] : [`rows say ${charged}, the balance says ${spent}`]),
  ]
}

/** Units are tokens times ratios; computing in thousandths keeps the arithmetic in whole numbers. */
export function chargeFor({ input, cacheRead, cacheWrite, output }: VendorUsage): bigint {
  const weighted =
    BigInt(input) * 1000n +
    BigInt(cacheRead) * thousandths(ratios.cacheRead) +
    BigInt(cacheWrite) * thousandths(ratios.cacheWrite) +
    BigInt(output) * thousandths(ratios.completion)
  return (weighted * BigInt(ratios.model)) / 1000n
}

function thousandths(ratio: number): bigint {
  return BigInt(Math.round(ratio * 1000))
}
