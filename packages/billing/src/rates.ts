import type { Bucket } from './buckets.ts'
import { digitsAt, multiply, scaledOf, trimmed, type Scaled, ZERO } from './decimal.ts'
import type { Price, PriceRule } from './price.ts'

/** A price made ready for arithmetic: every rate in quota units, as integers of one common scale. */
export interface Rates {
  /** Units a token before the group ratio. */
  readonly perToken: Readonly<Record<Bucket, bigint>>
  /** The bucket in which text costs most, going in and coming out. */
  readonly dearest: { readonly input: Bucket; readonly output: Bucket }
  /** Units a call before the group ratio; zero for a price per token. */
  readonly perCall: bigint
  /** Units a tool call before the group ratio. */
  readonly perToolCall: ReadonlyMap<string, bigint>
  /** Places after the point of all of the above. */
  readonly scale: number
  readonly groupRatio: Scaled
  /** Divides a sum of the above times the digits of the group ratio. */
  readonly divisor: bigint
  /** The price or the group ratio is zero: nothing is charged, not even the minimum of one unit. */
  readonly isFree: boolean
}

const compiled = new WeakMap<Price, Rates>()

/** A frozen price compiles once; the same object gives the same rates. */
export function ratesOf(price: Price): Rates {
  const known = compiled.get(price)
  if (known) return known
  const rates = compile(price)
  compiled.set(price, rates)
  return rates
}

function compile(price: Price): Rates {
  const groupRatio = trimmed(scaledOf(price.groupRatio))
  const perToken = tokenRates(price)
  const perCall = callRate(price)
  const perToolCall = toolRates(price)
  const all = [perCall, ...Object.values(perToken), ...perToolCall.values()]
  const scale = Math.max(...all.map((rate) => rate.scale))
  const digits = eachBucket((bucket) => digitsAt(perToken[bucket], scale))
  return {
    perToken: digits,
    dearest: { input: dearestOf(TEXT_INPUT, digits), output: 'outputText' },
    perCall: digitsAt(perCall, scale),
    perToolCall: new Map([...perToolCall].map(([name, rate]) => [name, digitsAt(rate, scale)])),
    scale,
    groupRatio,
    divisor: 10n ** BigInt(scale + groupRatio.scale),
    isFree: groupRatio.digits === 0n || baseRate(price.rule).digits === 0n,
  }
}

function baseRate(rule: PriceRule): Scaled {
  return scaledOf(rule.type === 'call' ? rule.price : rule.modelRatio)
}

const TEXT_INPUT: readonly Bucket[] = ['inputText', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h']

/** The first of those that cost most. */
export function dearestOf(among: readonly Bucket[], perToken: Rates['perToken']): Bucket {
  return among.reduce((best, bucket) => (perToken[bucket] > perToken[best] ? bucket : best))
}

function tokenRates({ rule, quotaPerUnit }: Price): Record<Bucket, Scaled> {
  if (rule.type === 'call') return eachBucket(() => ZERO)
  const input = multiply(scaledOf(rule.modelRatio), unitsPerRatio(quotaPerUnit))
  const ratios = bucketRatios(rule)
  return eachBucket((bucket) => trimmed(multiply(input, ratios[bucket])))
}

function eachBucket<T>(read: (bucket: Bucket) => T): Record<Bucket, T> {
  return {
    inputText: read('inputText'),
    cacheRead: read('cacheRead'),
    cacheWrite5m: read('cacheWrite5m'),
    cacheWrite1h: read('cacheWrite1h'),
    inputImage: read('inputImage'),
    inputAudio: read('inputAudio'),
    outputText: read('outputText'),
    outputAudio: read('outputAudio'),
    outputImage: read('outputImage'),
  }
}

/** Ratio 1 is 2 currency units a million tokens, so token prices follow the quota per unit as prices per call do. */
function unitsPerRatio(quotaPerUnit: string): Scaled {
  return trimmed(multiply(scaledOf(quotaPerUnit), { digits: 2n, scale: 6 }))
}

function bucketRatios(rule: PriceRule & { type: 'ratio' }): Record<Bucket, Scaled> {
  const audio = scaledOf(rule.audioRatio)
  const completion = scaledOf(rule.completionRatio)
  return {
    inputText: { digits: 1n, scale: 0 },
    cacheRead: scaledOf(rule.cacheRatio),
    cacheWrite5m: scaledOf(rule.cacheWriteRatio),
    cacheWrite1h: scaledOf(rule.cacheWrite1hRatio),
    inputImage: scaledOf(rule.imageRatio),
    inputAudio: audio,
    outputText: completion,
    outputAudio: multiply(audio, scaledOf(rule.audioCompletionRatio)),
    outputImage: completion,
  }
}

function callRate({ rule, quotaPerUnit }: Price): Scaled {
  if (rule.type !== 'call') return ZERO
  return trimmed(multiply(scaledOf(rule.price), scaledOf(quotaPerUnit)))
}

function toolRates({ toolPrices, quotaPerUnit }: Price): Map<string, Scaled> {
  const unitsPerThousandth = multiply(scaledOf(quotaPerUnit), { digits: 1n, scale: 3 })
  const priced = Object.entries(toolPrices ?? {})
  return new Map(priced.map(([name, text]) => [name, trimmed(multiply(scaledOf(text), unitsPerThousandth))]))
}
