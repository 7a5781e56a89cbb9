import { type Exact, multiply, one, shift, zero } from './exact.ts'
import { type BucketName, bucketNames, type LineInput, linesOf, type Receipt, totalled } from './receipt.ts'

/** The price at which a call was admitted, as stored in the log row. */
export interface FrozenPrice {
  readonly version: number | undefined
  readonly groupRatio: Exact
  readonly quotaPerUnit: Exact
  readonly rule: FrozenRule
  /** Currency per image, for calls that generate images. */
  readonly picture?: Exact
  /** Currency per 1,000 calls of a built-in tool. */
  readonly toolPrices: ReadonlyMap<string, Exact>
  /** Factors on everything but tools. */
  readonly tierRatios?: ReadonlyMap<string, Exact>
  /** Factors on the tokens of calls with more input than `above`, ascending. */
  readonly contextTiers?: readonly FrozenContextTier[]
}

export interface FrozenContextTier {
  readonly above: number
  readonly input: Exact
  readonly output: Exact
  readonly cache: Exact
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

/** Usage in disjoint buckets. */
export interface BucketCounts {
  readonly tokens: Readonly<Record<BucketName, number>>
  readonly toolCalls: ReadonlyMap<string, number>
  /** Number of generated images. */
  readonly images?: number | undefined
  /** Number of responses in a realtime session. */
  readonly turns?: number | undefined
  /** Length of a video. */
  readonly seconds?: number | undefined
  /** The service tier, if it was not the default one. */
  readonly serviceTier?: string | undefined
}

/**
 * Computes the receipt of a call whose row contains its price and its usage buckets, with the same arithmetic
 * as the gateway.
 */
export function frozenReceipt(price: FrozenPrice, counts: BucketCounts): Receipt {
  const used = isUsed(counts)
  const base = price.rule.type === 'call' ? price.rule.price : price.rule.modelRatio
  return totalled({
    basis: 'frozen',
    priceVersion: price.version,
    lines: linesOf([...inTier(ruleLines(price, counts, used), price, counts), ...toolLines(price, counts)]),
    groupRatio: price.groupRatio,
    quotaPerUnit: price.quotaPerUnit,
    isFree: price.groupRatio.digits === 0n || base.digits === 0n,
    isUsed: used,
    rounds: 'nearest',
  })
}

/** Multiplies the lines by the factor of the service tier that served the call. */
function inTier(lines: LineInput[], { tierRatios }: FrozenPrice, { serviceTier }: BucketCounts): LineInput[] {
  const ratio = serviceTier === undefined ? undefined : tierRatios?.get(serviceTier)
  if (ratio === undefined) return lines
  return lines.map((line) => ({ ...line, unitPrice: multiply(line.unitPrice, ratio) }))
}

function isUsed({ tokens, toolCalls, images = 0, turns = 0, seconds = 0 }: BucketCounts): boolean {
  if (hasTokens(tokens) || images + turns + seconds > 0) return true
  return [...toolCalls.values()].some((count) => count > 0)
}

function hasTokens(tokens: BucketCounts['tokens']): boolean {
  return bucketNames.some((name) => tokens[name] > 0)
}

/** Images are charged per image if the model is priced per call, or if the upstream reported no tokens. */
function pictureLine(
  { picture, rule, quotaPerUnit }: FrozenPrice,
  counts: BucketCounts,
): LineInput | undefined {
  if (picture === undefined || counts.images === undefined) return undefined
  if (rule.type === 'ratio' && hasTokens(counts.tokens)) return undefined
  return { name: 'picture', count: counts.images, unitPrice: multiply(picture, quotaPerUnit), per: 'one' }
}

function ruleLines(price: FrozenPrice, counts: BucketCounts, used: boolean): LineInput[] {
  const { rule, quotaPerUnit } = price
  const pictures = pictureLine(price, counts)
  if (pictures !== undefined) return [pictures]
  if (rule.type === 'call') {
    return [
      {
        name: counts.seconds === undefined ? 'call' : 'second',
        count: used ? (counts.turns ?? counts.seconds ?? 1) : 0,
        unitPrice: multiply(rule.price, quotaPerUnit),
        per: 'one',
      },
    ]
  }
  const ratios = bucketRatios(rule)
  const input = multiply(rule.modelRatio, unitsPerRatio(quotaPerUnit))
  const length = lengthOf(price, counts)
  return bucketNames.map((name) => ({
    name,
    count: counts.tokens[name],
    unitPrice: multiply(multiply(input, ratios[name]), length?.[factorOn(name)] ?? one),
    per: 'million',
  }))
}

/**
 * The length tier that applies to the call. A session has none, because the lengths of its responses are
 * unknown.
 */
function lengthOf({ contextTiers }: FrozenPrice, counts: BucketCounts): FrozenContextTier | undefined {
  if (counts.turns !== undefined) return undefined
  const kinds = bucketNames.filter((name) => factorOn(name) !== 'output')
  const input = kinds.reduce((sum, name) => sum + counts.tokens[name], 0)
  return contextTiers?.findLast(({ above }) => input > above)
}

function factorOn(name: BucketName): 'input' | 'output' | 'cache' {
  if (name.startsWith('output')) return 'output'
  return name.startsWith('cache') ? 'cache' : 'input'
}

/**
 * Quota units per token at ratio 1: ratio 1 is 2 units of currency per million tokens, whatever one unit of
 * currency is worth in quota.
 */
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

/**
 * The counter under which the gateway records a drawing, song or video that it charges once. It is not a tool
 * and usually has no price.
 */
const SUBMISSION = 'submission'

function toolLines({ toolPrices, quotaPerUnit }: FrozenPrice, counts: BucketCounts): LineInput[] {
  const tools = [...counts.toolCalls].filter(([name]) => name !== SUBMISSION || toolPrices.has(name))
  return tools.map(([name, count]) => ({
    name: `tool:${name}`,
    count,
    unitPrice: shift(multiply(toolPrices.get(name) ?? zero, quotaPerUnit), -3),
    per: 'thousand',
  }))
}
