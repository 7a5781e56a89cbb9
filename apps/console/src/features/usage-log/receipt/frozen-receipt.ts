import { type Exact, multiply, one, shift, zero } from './exact.ts'
import { type BucketName, bucketNames, type LineInput, linesOf, type Receipt, totalled } from './receipt.ts'

/** The price a call was admitted with, as the log row keeps it. */
export interface FrozenPrice {
  readonly version: number | undefined
  readonly groupRatio: Exact
  readonly quotaPerUnit: Exact
  readonly rule: FrozenRule
  /** Currency for 1,000 calls of a built-in tool. */
  readonly toolPrices: ReadonlyMap<string, Exact>
}

export type FrozenRule =
  | {
      readonly type: 'ratio'
      readonly modelRatio: Exact
      readonly completionRatio: Exact
      readonly cacheRatio: Exact
      readonly cacheWriteRatio: Exact
      readonly cacheWrite1hRatio: Exact
      readonly imageRatio: Exact
      readonly audioRatio: Exact
      readonly audioCompletionRatio: Exact
    }
  | { readonly type: 'call'; readonly price: Exact }

/** What was used, in disjoint buckets. */
export interface BucketCounts {
  readonly tokens: Readonly<Record<BucketName, number>>
  readonly toolCalls: ReadonlyMap<string, number>
}

/** The receipt of a call whose row keeps its price and its buckets: the same arithmetic as the gateway's own. */
export function frozenReceipt(price: FrozenPrice, counts: BucketCounts): Receipt {
  const used = isUsed(counts)
  const base = price.rule.type === 'call' ? price.rule.price : price.rule.modelRatio
  return totalled({
    basis: 'frozen',
    ...(price.version !== undefined && { priceVersion: price.version }),
    lines: linesOf([...ruleLines(price, counts, used), ...toolLines(price, counts)]),
    groupRatio: price.groupRatio,
    quotaPerUnit: price.quotaPerUnit,
    isFree: price.groupRatio.digits === 0n || base.digits === 0n,
    isUsed: used,
    rounds: 'nearest',
  })
}

function isUsed({ tokens, toolCalls }: BucketCounts): boolean {
  return bucketNames.some((name) => tokens[name] > 0) || [...toolCalls.values()].some((count) => count > 0)
}

function ruleLines({ rule, quotaPerUnit }: FrozenPrice, counts: BucketCounts, used: boolean): LineInput[] {
  if (rule.type === 'call') {
    return [{ name: 'call', count: used ? 1 : 0, unitPrice: multiply(rule.price, quotaPerUnit), per: 'one' }]
  }
  const ratios = bucketRatios(rule)
  const input = multiply(rule.modelRatio, unitsPerRatio(quotaPerUnit))
  return bucketNames.map((name) => ({
    name,
    count: counts.tokens[name],
    unitPrice: multiply(input, ratios[name]),
    per: 'million',
  }))
}

/** Ratio 1 is 2 in currency for a million tokens, whatever a unit of currency is worth in quota. */
function unitsPerRatio(quotaPerUnit: Exact): Exact {
  return shift(multiply(quotaPerUnit, { digits: 2n, scale: 0 }), -6)
}

function bucketRatios(rule: FrozenRule & { type: 'ratio' }): Record<BucketName, Exact> {
  return {
    inputText: one,
    cacheRead: rule.cacheRatio,
    cacheWrite5m: rule.cacheWriteRatio,
    cacheWrite1h: rule.cacheWrite1hRatio,
    inputImage: rule.imageRatio,
    inputAudio: rule.audioRatio,
    outputText: rule.completionRatio,
    outputAudio: multiply(rule.audioRatio, rule.audioCompletionRatio),
    outputImage: rule.completionRatio,
  }
}

function toolLines({ toolPrices, quotaPerUnit }: FrozenPrice, counts: BucketCounts): LineInput[] {
  return [...counts.toolCalls].map(([name, count]) => ({
    name: `tool:${name}`,
    count,
    unitPrice: shift(multiply(toolPrices.get(name) ?? zero, quotaPerUnit), -3),
    per: 'thousand',
  }))
}
