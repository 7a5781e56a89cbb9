import { ExpressionError } from './expression-error.ts'
import { parseExpression } from './parse.ts'
import type { TokenPrices } from './linear-cost.ts'
import { type PriceStep, readPricePlan } from './read-steps.ts'

/** Entries of one model in the settings of prices, by their keys. */
export interface ConvertedPrice {
  readonly entries: Readonly<Record<string, number>>
  readonly steps: readonly LengthStep[]
  /** Factors by service tier. */
  readonly tiers: ReadonlyMap<string, number>
}

export interface LengthStep {
  readonly above: number
  readonly input: number
  readonly output: number
  readonly cache: number
}

const STEPS_MAX = 8
const RATIO_MAX = 1_000_000

/**
 * Converts a billing expression into ratios. Returns why in words when it cannot: a price that is only nearly the
 * same would charge people wrongly.
 */
export function convertExpression(
  text: string,
  { quotaPerUnit }: { quotaPerUnit: number },
): ConvertedPrice | string {
  try {
    const { steps, tiers } = readPricePlan(parseExpression(plainText(text)))
    const [first, ...others] = steps
    if (first === undefined) return 'it has no price'
    if (first.cost.type === 'fixed') return others.length === 0 ? perCall(first.cost.price, tiers) : MIXED
    if (others.length > STEPS_MAX) return `it has more than ${STEPS_MAX} steps`
    const { prices } = first.cost
    return {
      entries: computeRatios(prices, quotaPerUnit),
      steps: others.map((step) => lengthStep(prices, step)),
      tiers,
    }
  } catch (error) {
    if (error instanceof ExpressionError) return error.message
    throw error
  }
}

const MIXED = 'it mixes prices of a call and of tokens'

/** Without the version, and with the factors of requests, which stand behind three bars, as a product. */
function plainText(text: string): string {
  const [base = '', ...rules] = text.trim().replace(/^v1:/, '').split('|||')
  if (rules.length === 0) return base
  const rule = /^\s*when\((.*)\)\s*\*\s*([\d.]+)\s*$/s
  const factors = rules.map((text) => {
    const [, condition, factor] = rule.exec(text) ?? []
    if (condition === undefined) throw new ExpressionError('a rule of requests is not understood')
    return `(${condition} ? ${factor} : 1)`
  })
  return [`(${base})`, ...factors].join(' * ')
}

function perCall(price: number, tiers: ReadonlyMap<string, number>): ConvertedPrice {
  return { entries: { ModelPrice: tidy(price) }, steps: [], tiers }
}

function computeRatios(prices: TokenPrices, quotaPerUnit: number): Readonly<Record<string, number>> {
  const input = prices.get('p') ?? 0
  const output = prices.get('c') ?? 0
  const others = [...prices].filter(([name]) => name !== 'p')
  if (input === 0 && others.some(([, price]) => price > 0))
    throw new ExpressionError('its input is free and other tokens are not')
  if ((prices.get('img_o') ?? output) !== output)
    throw new ExpressionError('pictures in the output have a price of their own')
  const of = (name: string, base: number, absent: number): number =>
    base === 0 ? 1 : tidy((prices.get(name) ?? absent) / base)
  const audioInput = prices.get('ai') ?? input
  const audioOutput = prices.get('ao') ?? output
  if (audioInput === 0 && audioOutput > 0) throw new ExpressionError('audio is free in the input only')
  return checked({
    ModelRatio: tidy((input * quotaPerUnit) / 1_000_000),
    CompletionRatio: of('c', input, 0),
    CacheRatio: of('cr', input, input),
    CreateCacheRatio: of('cc', input, input),
    CreateCache1hRatio: of('cc1h', input, input),
    ImageRatio: of('img', input, input),
    AudioRatio: of('ai', input, input),
    AudioCompletionRatio: audioInput === 0 ? 1 : tidy(audioOutput / audioInput),
  })
}

function checked(ratios: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  for (const [key, ratio] of Object.entries(ratios))
    if (ratio > RATIO_MAX) throw new ExpressionError(`its ${key} would be ${ratio}`)
  return ratios
}

/** All tokens of a step are multiplied by three factors: of input, output and caches. */
function lengthStep(base: TokenPrices, { above, cost }: PriceStep): LengthStep {
  if (cost.type === 'fixed') throw new ExpressionError(MIXED)
  if (above > 1_000_000_000) throw new ExpressionError('a step is too long')
  const factor = (name: string, fallback: string): number => {
    const [from, to] = [
      base.get(name) ?? base.get(fallback) ?? 0,
      cost.prices.get(name) ?? cost.prices.get(fallback) ?? 0,
    ]
    if (!(from > 0 && to > 0)) throw new ExpressionError(`${name} is free in one step`)
    return tidy(to / from)
  }
  const input = factor('p', 'p')
  const output = factor('c', 'c')
  const cache = factor('cr', 'p')
  for (const name of ['cc', 'cc1h']) requireSame(factor(name, 'p'), cache, 'caches')
  for (const name of ['img', 'ai']) requireSame(factor(name, 'p'), input, 'media')
  for (const name of ['img_o', 'ao']) requireSame(factor(name, 'c'), output, 'media')
  return { above, input, output, cache }
}

function requireSame(one: number, other: number, what: string): void {
  if (Math.abs(one - other) > 1e-9 * other)
    throw new ExpressionError(`${what} get dearer by another factor than the rest`)
}

/** Twelve digits: exact for every price that a person writes. */
function tidy(value: number): number {
  return Number(value.toPrecision(12))
}
