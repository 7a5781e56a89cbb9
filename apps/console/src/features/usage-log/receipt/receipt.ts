import { exactOf, type Exact, multiply, roundHalfAway, sum, truncate } from './exact.ts'

/** One row of a receipt: `count` x `unitPrice` = `amount`. Prices and amounts are quota units before the group ratio. */
export interface ReceiptLine {
  readonly name: LineName
  readonly count: number
  /** Quota units for one. */
  readonly unitPrice: Exact
  readonly amount: Exact
  /** How many of it the unit price is shown for. */
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

/** A charge computed again in the page from what the log row says was used and what it cost. */
export interface Receipt {
  /** `frozen`: from the price the call was admitted with; `ratios`: from the ratio fields older gateways wrote. */
  readonly basis: 'frozen' | 'ratios'
  readonly priceVersion: number | undefined
  readonly lines: readonly ReceiptLine[]
  readonly subtotal: Exact
  readonly groupRatio: Exact
  /** `subtotal` x `groupRatio`, before the one rounding. */
  readonly exact: Exact
  readonly rounding: Rounding
  readonly units: bigint
  /** Quota units in one unit of currency, as they were when the call was admitted. */
  readonly quotaPerUnit: Exact
}

export type Rounding = 'none' | 'nearest' | 'down' | 'minimum' | 'maximum' | 'nothing-used'

/** The gateway never charges more for one call, whatever the ratios. */
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

/** Adds the lines up and rounds once; what costs and was used is charged at least one unit, and at most the largest charge. */
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

/** Lines for what was used; a bucket that stayed empty has none. */
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
