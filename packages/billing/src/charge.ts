import { inputTokens, outputTokens, type Usage } from '@tollgate/dialects/usage'
import { invariant } from '@tollgate/kit/invariant'
import { buckets, type Bucket } from './buckets.ts'
import { decimalText, divideHalfAway } from './decimal.ts'
import type { Decimal, Price } from './price.ts'
import { ratesFor, type Rates } from './rates.ts'

/** Upper bound of a single charge, whatever the ratios. It fits a 64-bit column and leaves room for sums. */
export const CHARGE_UNITS_MAX = 10n ** 18n

/**
 * The charge of a call and its receipt: every step of the calculation, so that a person can check it by hand.
 */
export interface Charge {
  /** The amount charged, in quota units. Never negative. */
  readonly units: bigint
  /** One line for each bucket and tool with usage, in a fixed order. */
  readonly lines: readonly ChargeLine[]
  /** Sum of the lines, before the group ratio. */
  readonly subtotal: Decimal
  readonly groupRatio: Decimal
  /** `subtotal` x `groupRatio`, before rounding. */
  readonly exact: Decimal
  /**
   * `minimum`: the value rounded to 0 and one unit is charged. `maximum`: {@link CHARGE_UNITS_MAX} was
   * reached.
   */
  readonly rounding: 'none' | 'half-away-from-zero' | 'minimum' | 'maximum'
}

export interface ChargeLine {
  /** A usage bucket, `call` for a price per call, `picture` for a price per image, or `tool:<name>`. */
  readonly bucket: Bucket | 'call' | 'picture' | `tool:${string}`
  readonly count: number
  /** Quota units for one, before the group ratio. */
  readonly unitPrice: Decimal
  readonly amount: Decimal
}

/**
 * Computes the charge of a usage, with its receipt. The result is rounded once at the end, half away from
 * zero. It is at least 1 when the price and the group ratio are above 0 and anything was used, and 0 only
 * when the call is free or nothing was used.
 */
export function charge(price: Price, usage: Usage): Charge {
  const rates = ratesFor(price, usage)
  const subtotal = subtotalDigits(rates, usage)
  const exact = subtotal * rates.groupRatio.digits
  const units = unitsOf(rates, usage, exact)
  return {
    units,
    lines: linesOf(price, rates, usage),
    subtotal: decimalText({ digits: subtotal, scale: rates.scale }),
    groupRatio: decimalText(rates.groupRatio),
    exact: decimalText({ digits: exact, scale: rates.scale + rates.groupRatio.scale }),
    rounding: roundingOf(rates, exact, units),
  }
}

/** A charge before it is rounded: `digits / divisor` quota units. The divisor is a power of ten. */
export interface ExactCharge {
  readonly digits: bigint
  readonly divisor: bigint
  /** Something was used that is not free, so at least one unit is charged. */
  readonly isOwed: boolean
}

/** One part of a charge that is rounded with others. */
export function computeExactly(price: Price, usage: Usage): ExactCharge {
  const rates = ratesFor(price, usage)
  return {
    digits: subtotalDigits(rates, usage) * rates.groupRatio.digits,
    divisor: rates.divisor,
    isOwed: !rates.isFree && isUsed(usage),
  }
}

/** {@link charge} without the receipt, for the hot path. */
export function chargeUnits(price: Price, usage: Usage): bigint {
  const rates = ratesFor(price, usage)
  return unitsOf(rates, usage, subtotalDigits(rates, usage) * rates.groupRatio.digits)
}

/**
 * How much of a charge of `units` its input caused; the rest is that of the output and of tools. A price per call
 * is all output. Both parts are whole units, so that they add up to the charge.
 */
export function inputUnits(price: Price, usage: Usage, units: bigint): bigint {
  if (price.rule.type === 'call') return 0n
  const { images: _images, toolCalls: _tools, ...tokens } = usage
  const input = chargeUnits(price, { ...tokens, outputText: 0, outputAudio: 0, outputImage: 0 })
  return input < units ? input : units
}

function unitsOf(rates: Rates, usage: Usage, exact: bigint): bigint {
  const rounded = divideHalfAway(exact, rates.divisor)
  if (rounded > CHARGE_UNITS_MAX) return CHARGE_UNITS_MAX
  if (rounded > 0n || rates.isFree) return rounded
  return isUsed(usage) ? 1n : 0n
}

function roundingOf(rates: Rates, exact: bigint, units: bigint): Charge['rounding'] {
  const paid = units * rates.divisor
  if (paid === exact) return 'none'
  if (units === CHARGE_UNITS_MAX && paid < exact) return 'maximum'
  return units === 1n && exact * 2n < rates.divisor ? 'minimum' : 'half-away-from-zero'
}

/**
 * Unrolled by hand: most counts of an ordinary usage are zero, and a loop over bucket names would cost more
 * than the arithmetic.
 */
function subtotalDigits(rates: Rates, usage: Usage): bigint {
  const { perCall, perToken, perToolCall } = rates
  let sum = perCall > 0n ? counted(callsOf(usage)) * perCall : 0n
  if (usage.images !== undefined && isByThePiece(rates, usage)) sum = counted(usage.images) * rates.perPicture
  if (usage.inputText !== 0) sum += counted(usage.inputText) * perToken.inputText
  if (usage.cacheRead !== 0) sum += counted(usage.cacheRead) * perToken.cacheRead
  if (usage.cacheWrite5m !== 0) sum += counted(usage.cacheWrite5m) * perToken.cacheWrite5m
  if (usage.cacheWrite1h !== 0) sum += counted(usage.cacheWrite1h) * perToken.cacheWrite1h
  if (usage.inputImage !== 0) sum += counted(usage.inputImage) * perToken.inputImage
  if (usage.inputAudio !== 0) sum += counted(usage.inputAudio) * perToken.inputAudio
  if (usage.outputText !== 0) sum += counted(usage.outputText) * perToken.outputText
  if (usage.outputAudio !== 0) sum += counted(usage.outputAudio) * perToken.outputAudio
  if (usage.outputImage !== 0) sum += counted(usage.outputImage) * perToken.outputImage
  if (usage.toolCalls === undefined) return sum
  for (const [name, rate] of perToolCall) sum += counted(usage.toolCalls[name] ?? 0) * rate
  return sum
}

/** A per-call price is charged once for each response of a session and once for each second of a video. */
function callsOf(usage: Usage): number {
  return isUsed(usage) ? (usage.turns ?? usage.seconds ?? 1) : 0
}

/**
 * An image price applies when the model is priced per call, or when the upstream reported no tokens for the
 * images.
 */
function isByThePiece({ hasPicturePrice, isPerCall }: Rates, usage: Usage): boolean {
  return hasPicturePrice && (isPerCall || inputTokens(usage) + outputTokens(usage) === 0)
}

function counted(count: number): bigint {
  invariant(Number.isSafeInteger(count) && count >= 0, 'a counted quantity is a non-negative safe integer')
  return BigInt(count)
}

function isUsed(usage: Usage): boolean {
  if (
    inputTokens(usage) > 0 ||
    outputTokens(usage) > 0 ||
    (usage.images ?? 0) + (usage.turns ?? 0) + (usage.seconds ?? 0) > 0
  )
    return true
  return usage.toolCalls !== undefined && Object.values(usage.toolCalls).some((count) => count > 0)
}

function linesOf(price: Price, rates: Rates, usage: Usage): ChargeLine[] {
  const lines: ChargeLine[] = []
  const push = (bucket: ChargeLine['bucket'], count: number, rate: bigint) => {
    if (count === 0) return
    const amount = decimalText({ digits: counted(count) * rate, scale: rates.scale })
    lines.push({ bucket, count, unitPrice: decimalText({ digits: rate, scale: rates.scale }), amount })
  }
  if (usage.images !== undefined && isByThePiece(rates, usage))
    push('picture', usage.images, rates.perPicture)
  else if (price.rule.type === 'call') push('call', callsOf(usage), rates.perCall)
  else for (const bucket of buckets) push(bucket, usage[bucket], rates.perToken[bucket])
  for (const [name, rate] of rates.perToolCall) push(`tool:${name}`, usage.toolCalls?.[name] ?? 0, rate)
  return lines
}
