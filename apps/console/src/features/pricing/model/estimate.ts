import { chargeUnits } from '@tollgate/billing/charge'
import { contextTierOf } from '@tollgate/billing/context-tiers'
import type { Decimal, Price } from '@tollgate/billing/price'
import type { PricingRow } from '@tollgate/contract/pricing'
import { noUsage, type Usage } from '@tollgate/billing/buckets'
import {
  bucketOf,
  decimalOf,
  isByCall,
  type LineName,
  lineNames,
  type PriceLine,
  priceLines,
  ruleOf,
} from '../prices.ts'

/** Tokens of one call, by price kind. */
export type Tokens = Readonly<Partial<Record<LineName, number>>>

export interface Sample {
  readonly tokens: Tokens
  /** Seconds of a call that is charged per second. */
  readonly seconds?: number
  readonly toolCalls?: Readonly<Record<string, number>>
  readonly serviceTier?: string
}

/** The charge of a call in quota units, computed as the gateway does. */
export function estimateUnits(
  row: PricingRow,
  sample: Sample,
  { groupRatio, quotaPerUnit }: { readonly groupRatio: number; readonly quotaPerUnit: number },
): number {
  const price: Price = {
    version: 0,
    model: row.model_name,
    group: '',
    groupRatio: decimalOf(groupRatio),
    quotaPerUnit: decimalOf(quotaPerUnit),
    rule: ruleOf(row),
    toolPrices: decimals(row.tool_prices),
    tierRatios: decimals(row.tier_ratios),
    contextTiers: row.context_tiers.map(({ above, input, output, cache }) => {
      return { above, input: decimalOf(input), output: decimalOf(output), cache: decimalOf(cache) }
    }),
  }
  return Number(chargeUnits(price, usageOf(row, sample)))
}

/** The prices that apply to a call with these tokens; a long call has different ones. */
export function linesOfCall(row: PricingRow, groupRatio: number, tokens: Tokens): readonly PriceLine[] {
  return priceLines(row, groupRatio, contextTierOf(row.context_tiers, usageOf(row, { tokens })))
}

/** A call with a fixed price is charged whatever its tokens. */
function usageOf(row: PricingRow, { tokens, seconds, toolCalls, serviceTier }: Sample): Usage {
  if (isByCall(row)) return { ...noUsage, inputText: 1, seconds, toolCalls, serviceTier }
  const counts = lineNames.map((name) => [bucketOf[name], tokens[name] ?? 0] as const)
  return { ...noUsage, ...Object.fromEntries(counts), toolCalls, serviceTier }
}

function decimals(numbers: Readonly<Record<string, number>>): Record<string, Decimal> {
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, decimalOf(value)]))
}
