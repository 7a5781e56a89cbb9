import process from 'node:process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
import { buckets, usageToJson } from './buckets.ts'
import { charge, CHARGE_UNITS_MAX, chargeUnits } from './charge.ts'
import type { Price, PriceRule } from './price.ts'
import { priceToJson, recompute } from './recompute.ts'

/** Each run draws other cases. `npm run verify` sets TOLLGATE_QUICK, `npm run test:faults` the long form. */
const USUAL_CASES = process.env['TOLLGATE_FAULTS'] === 'long' ? 100_000 : 6_000
const CASES = process.env['TOLLGATE_QUICK'] ? 2_000 : USUAL_CASES
const seed = Number(process.env['PRICE_SEED'] ?? Date.now() % 2 ** 31)

/** Exact fractions, written independently of the code under test. */
interface Fraction {
  readonly top: bigint
  readonly bottom: bigint
}

function fraction(text: string): Fraction {
  const [whole = '', part = ''] = text.split('.')
  return { top: BigInt(whole + part), bottom: 10n ** BigInt(part.length) }
}

const times = (a: Fraction, b: Fraction): Fraction => ({ top: a.top * b.top, bottom: a.bottom * b.bottom })
const plus = (a: Fraction, b: Fraction): Fraction => ({
  top: a.top * b.bottom + b.top * a.bottom,
  bottom: a.bottom * b.bottom,
})
const product = (...texts: string[]) => texts.map(fraction).reduce(times)

/** The charge formula, computed bucket by bucket with exact fractions. */
function expected(price: Price, usage: Usage): bigint {
  const { rule } = price
  const isUsed = buckets.some((bucket) => usage[bucket] > 0)
  if (!isUsed) return 0n
  const exact = times(
    fraction(price.groupRatio),
    rule.type === 'call' ? product(rule.price, price.quotaPerUnit) : sumOfBuckets(rule, price, usage),
  )
  const isFree =
    fraction(price.groupRatio).top === 0n ||
    fraction(rule.type === 'call' ? rule.price : rule.modelRatio).top === 0n
  const doubled = exact.top * 2n
  const floor = exact.top / exact.bottom
  const rounded = doubled - 2n * floor * exact.bottom >= exact.bottom ? floor + 1n : floor
  if (rounded > CHARGE_UNITS_MAX) return CHARGE_UNITS_MAX
  return rounded === 0n && !isFree ? 1n : rounded
}

/**
 * Factors of the last context tier whose limit the total input exceeds, computed with big integers so that
 * nothing is rounded.
 */
function lengthOf({ contextTiers = [] }: Price, usage: Usage) {
  const kinds = [
    'inputText',
    'cacheRead',
    'cacheWrite5m',
    'cacheWrite1h',
    'inputImage',
    'inputAudio',
  ] as const
  const length = kinds.reduce((sum, kind) => sum + BigInt(usage[kind]), 0n)
  let factors = { input: '1', output: '1', cache: '1' }
  for (const tier of contextTiers) if (length > BigInt(tier.above)) factors = tier
  return factors
}

function sumOfBuckets(rule: PriceRule & { type: 'ratio' }, price: Price, usage: Usage): Fraction {
  const { quotaPerUnit } = price
  const { input, output, cache } = lengthOf(price, usage)
  const parts: [number, ...string[]][] = [
    [usage.inputText, input],
    [usage.cacheRead, rule.cacheRatio, cache],
    [usage.cacheWrite5m, rule.cacheWriteRatio, cache],
    [usage.cacheWrite1h, rule.cacheWrite1hRatio, cache],
    [usage.inputImage, rule.imageRatio, input],
    [usage.inputAudio, rule.audioRatio, input],
    [usage.outputText, rule.completionRatio, output],
    [usage.outputAudio, rule.audioRatio, rule.audioCompletionRatio, output],
    [usage.outputImage, rule.completionRatio, output],
  ]
  const sum = parts
    .map(([count, ...ratios]) => product(String(count), ...ratios))
    .reduce(plus, { top: 0n, bottom: 1n })
  return times(
    times(sum, fraction(rule.modelRatio)),
    times(fraction(quotaPerUnit), { top: 2n, bottom: 1_000_000n }),
  )
}

const anyRatio = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.constantFrom('0', '1', '0.5', '1.25', '1000000', '0.0000000001', '1.3333333333333333'),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.nat(9999), fc.nat(999_999_999), fc.integer({ min: 1, max: 9 }))
      .map(([whole, part, places]) => `${whole}.${String(part).padStart(9, '0').slice(0, places)}`),
  },
)
const anyCount = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.nat(200_000) },
  { weight: 1, arbitrary: fc.maxSafeNat() },
)
const anyUsage: fc.Arbitrary<Usage> = fc.record({
  inputText: anyCount,
  cacheRead: anyCount,
  cacheWrite5m: anyCount,
  cacheWrite1h: anyCount,
  inputImage: anyCount,
  inputAudio: anyCount,
  outputText: anyCount,
  outputAudio: anyCount,
  outputImage: anyCount,
})
const anyRule: fc.Arbitrary<PriceRule> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('ratio' as const),
      modelRatio: anyRatio,
      completionRatio: anyRatio,
      cacheRatio: anyRatio,
      cacheWriteRatio: anyRatio,
      cacheWrite1hRatio: anyRatio,
      imageRatio: anyRatio,
      audioRatio: anyRatio,
      audioCompletionRatio: anyRatio,
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('call' as const), price: anyRatio }) },
)
const evenPrice: fc.Arbitrary<Price> = fc.record({
  version: fc.constant(1),
  model: fc.constant('m'),
  group: fc.constant('default'),
  groupRatio: anyRatio,
  quotaPerUnit: fc.constantFrom('500000', '1', '1000000', '333333.3'),
  rule: anyRule,
})
const anyFactor = fc.constantFrom('0.5', '1', '1.5', '2', '1.3333333333333333', '0.0000001')
const anyTiers = fc
  .uniqueArray(
    fc.record({
      above: fc.integer({ min: 1, max: 600_000 }),
      input: anyFactor,
      output: anyFactor,
      cache: anyFactor,
    }),
    { maxLength: 3, selector: ({ above }) => above },
  )
  .map((tiers) => tiers.toSorted((left, right) => left.above - right.above))
const anyPrice: fc.Arbitrary<Price> = fc.oneof(
  evenPrice,
  fc.tuple(evenPrice, anyTiers).map(([price, contextTiers]) => ({ ...price, contextTiers })),
)

function report(name: string, cases: number): void {
  process.stdout.write(`price cases: ${name}, ${cases} cases, seed ${seed} (PRICE_SEED replays)\n`)
}

test('the charge is the exact value rounded once, and recomputes from the stored JSON', () => {
  let cases = 0
  fc.assert(
    fc.property(anyPrice, anyUsage, (price, usage) => {
      cases += 1
      const units = chargeUnits(price, usage)
      expect(units).toBe(expected(price, usage))
      if (cases % 10 === 0) expect(recompute(priceToJson(price), usageToJson(usage))).toBe(units)
    }),
    { numRuns: CASES, seed },
  )
  report('against rational arithmetic', cases)
  expect(cases).toBeGreaterThanOrEqual(CASES)
}, 120_000)

test('higher usage never costs less, and no charge is negative', () => {
  let cases = 0
  fc.assert(
    fc.property(
      evenPrice,
      anyUsage,
      fc.constantFrom(...buckets),
      fc.nat(5000),
      (price, usage, bucket, more) => {
        cases += 1
        const less = { ...usage, [bucket]: Math.min(usage[bucket], Number.MAX_SAFE_INTEGER - 5000) }
        const lower = chargeUnits(price, less)
        expect(lower).toBeGreaterThanOrEqual(0n)
        expect(chargeUnits(price, { ...less, [bucket]: less[bucket] + more })).toBeGreaterThanOrEqual(lower)
      },
    ),
    { numRuns: CASES / 10, seed },
  )
  report('monotone', cases)
  expect(cases).toBeGreaterThanOrEqual(CASES / 10)
}, 120_000)

test('the lines of a receipt add up to it', () => {
  fc.assert(
    fc.property(anyPrice, anyUsage, (price, usage) => {
      const receipt = charge(price, usage)
      const sum = receipt.lines.map(({ amount }) => fraction(amount)).reduce(plus, { top: 0n, bottom: 1n })
      for (const line of receipt.lines) {
        const amount = fraction(line.amount)
        const recounted = product(String(line.count), line.unitPrice)
        expect(recounted.top * amount.bottom).toBe(amount.top * recounted.bottom)
      }
      const subtotal = fraction(receipt.subtotal)
      expect(sum.top * subtotal.bottom).toBe(subtotal.top * sum.bottom)
      const exact = fraction(receipt.exact)
      const scaled = product(receipt.subtotal, receipt.groupRatio)
      expect(scaled.top * exact.bottom).toBe(exact.top * scaled.bottom)
    }),
    { numRuns: CASES / 20, seed },
  )
}, 120_000)

test('invalid quantities throw and never credit an account', () => {
  const hostile = fc.oneof(
    fc.integer({ max: -1 }),
    fc.double({ noInteger: true }),
    fc.constantFrom(2 ** 53, 2 ** 63, Number.POSITIVE_INFINITY, Number.NaN, -0.1),
  )
  fc.assert(
    fc.property(anyPrice, fc.constantFrom(...buckets), hostile, (price, bucket, count) => {
      expect(() => chargeUnits(price, { ...noUsage, [bucket]: count })).toThrow(/safe integer/)
    }),
    { numRuns: 2000, seed },
  )
})
