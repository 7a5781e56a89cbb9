import { exactOf, type Exact, multiply, roundHalfAway, sum, truncate } from './exact.ts'

/**
 * One line of a receipt: `count` x `unitPrice` = `amount`. Prices and amounts are in quota units before the
 * group ratio.
 */
export interface ReceiptLine {
  readonly name: LineName
  readonly count: number
  /** Quota units per item. */
  readonly unitPrice: Exact
  readonly amount: Exact
  /** The number of items for which the unit price is shown. */
  readonly per: 'million' | 'thousand' | 'one'
}

export const bucketNames = [
  'inputText',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'inputImage',
  'inputAudio',
  'outputText',
  'outputAudio',
  'outputImage',
] as const

export type BucketName = (typeof bucketNames)[number]
export type FixedLineName = BucketName | 'call' | 'second' | 'picture'
export type ToolLineName = `tool:${string}`
export type LineName = FixedLineName | ToolLineName

/** A charge recomputed in the page from the usage and prices in the log row. */
export interface Receipt {
  /**
   * `frozen`: from the price at which the call was admitted; `ratios`: from the ratio fields that older
   * gateways wrote.
   */
  readonly basis: 'frozen' | 'ratios'
  readonly priceVersion: number | undefined
  readonly lines: readonly ReceiptLine[]
  readonly subtotal: Exact
  readonly groupRatio: Exact
  /** `subtotal` x `groupRatio`, before rounding. */
  readonly exact: Exact
  readonly rounding: Rounding
  readonly units: bigint
  /** Quota units per unit of currency at the time of admission. */
  readonly quotaPerUnit: Exact
}

export type Rounding = 'none' | 'nearest' | 'down' | 'minimum' | 'maximum' | 'nothing-used'

/** The maximum charge of one call; the gateway never charges more, whatever the ratios. */
const CHARGE_UNITS_MAX = 10n ** 18n

export interface ReceiptInput {
  readonly basis: Receipt['basis']
  readonly priceVersion?: number
  readonly lines: readonly ReceiptLine[]
  readonly groupRatio: Exact
  readonly quotaPerUnit: Exact
  readonly isFree: boolean
  readonly isUsed: boolean
  readonly rounds: 'nearest' | 'down'
}

/**
 * Adds up the lines and rounds once. Any billable usage is charged at least one unit, and at most the maximum
 * charge.
 */
export function totalled(input: ReceiptInput): Receipt {
  const subtotal = sum(input.lines.map((line) => line.amount))
  const exact = multiply(subtotal, input.groupRatio)
  const rounded = input.rounds === 'nearest' ? roundHalfAway(exact) : truncate(exact)
  const units = chargedUnits(rounded, input)
  return {
    basis: input.basis,
    priceVersion: input.priceVersion,
    lines: input.lines,
    subtotal,
    groupRatio: input.groupRatio,
    exact,
    rounding: roundingOf(exact, units, input),
    units,
    quotaPerUnit: input.quotaPerUnit,
  }
}

export interface LineInput {
  readonly name: LineName
  readonly count: number
  readonly unitPrice: Exact
  readonly per: ReceiptLine['per']
}

/** Lines for the used buckets; an empty bucket has no line. */
export function linesOf(inputs: readonly LineInput[]): ReceiptLine[] {
  return inputs
    .filter((input) => input.count !== 0)
    .map((input) => ({
      ...input,
      amount: multiply(input.unitPrice, exactOf(input.count) ?? { digits: 0n, scale: 0 }),
    }))
}

function chargedUnits(rounded: bigint, { isFree, isUsed }: ReceiptInput): bigint {
  if (!isUsed) return 0n
  if (rounded > CHARGE_UNITS_MAX) return CHARGE_UNITS_MAX
  return rounded > 0n || isFree ? rounded : 1n
}

function roundingOf(exact: Exact, units: bigint, input: ReceiptInput): Rounding {
  if (!input.isUsed) return 'nothing-used'
  const one = 10n ** BigInt(exact.scale)
  const paid = units * one
  if (paid === exact.digits) return 'none'
  if (units === CHARGE_UNITS_MAX && paid < exact.digits) return 'maximum'
  if (units === 1n && exact.digits * 2n < one) return 'minimum'
  return input.rounds
}
