import { CHARGE_UNITS_MAX } from '@tollgate/billing/charge'
import { add, type FixedPoint, multiply, roundHalfAway, ZERO } from '@tollgate/billing/decimal'
import { one, truncate } from './exact.ts'
import type { Receipt, ReceiptLine, Rounding } from './receipt.ts'

/** The ratio fields that new-api and its forks write into every consumption row. */
export interface RowRatios {
  /** Currency per call; negative or missing if the call was billed by tokens. */
  readonly modelPrice: FixedPoint | undefined
  readonly modelRatio: FixedPoint
  readonly groupRatio: FixedPoint
  readonly completionRatio: FixedPoint
  readonly cacheRatio: FixedPoint
  readonly cacheCreationRatio: FixedPoint
  readonly audioRatio: FixedPoint
  readonly audioCompletionRatio: FixedPoint
  /** The Anthropic format: cached tokens are not included in the input, and the charge was rounded down. */
  readonly isAnthropic: boolean
  readonly isAudio: boolean
}

export interface RowTokens {
  readonly prompt: number
  readonly completion: number
  readonly cacheRead: number
  readonly cacheCreation: number
  readonly textInput: number
  readonly textOutput: number
  readonly audioInput: number
  readonly audioOutput: number
}

/**
 * Computes the receipt of a row without a frozen price, by the formula of new-api: one token at ratio 1 costs
 * one unit of quota.
 */
export function ratioReceipt(ratios: RowRatios, tokens: RowTokens, quotaPerUnit: FixedPoint): Receipt {
  const used = tokens.prompt + tokens.completion > 0
  const price = callPrice(ratios)
  const base = price ?? ratios.modelRatio
  const unitPrice = price && multiply(price, quotaPerUnit)
  const all = unitPrice
    ? [receiptLine({ name: 'call', count: used ? 1 : 0, unitPrice, per: 'one' })]
    : tokenLines(ratios, tokens)
  const lines = all.filter(({ count }) => count !== 0)
  const subtotal = lines.map(({ amount }) => amount).reduce(add, ZERO)
  const exact = multiply(subtotal, ratios.groupRatio)
  const rounds = ratios.isAnthropic || (ratios.isAudio && price) ? 'down' : 'nearest'
  const rounded = rounds === 'nearest' ? roundHalfAway(exact) : truncate(exact)
  const isFree = multiply(base, ratios.groupRatio).digits === 0n
  const units = used ? chargedUnits(rounded, isFree) : 0n
  return {
    basis: 'ratios',
    priceVersion: undefined,
    lines,
    subtotal,
    groupRatio: ratios.groupRatio,
    exact,
    rounding: used ? roundingOf(exact, units, rounds) : 'none',
    units,
    quotaPerUnit,
  }
}

function chargedUnits(rounded: bigint, isFree: boolean): bigint {
  if (rounded > CHARGE_UNITS_MAX) return CHARGE_UNITS_MAX
  return rounded > 0n || isFree ? rounded : 1n
}

function roundingOf({ digits, scale }: FixedPoint, units: bigint, rounds: 'nearest' | 'down'): Rounding {
  const divisor = 10n ** BigInt(scale)
  const paid = units * divisor
  if (paid === digits) return 'none'
  if (units === CHARGE_UNITS_MAX && paid < digits) return 'maximum'
  return units === 1n && digits * 2n < divisor ? 'minimum' : rounds
}

function callPrice({ modelPrice }: RowRatios): FixedPoint | undefined {
  return modelPrice && modelPrice.digits >= 0n ? modelPrice : undefined
}

function tokenLines(ratios: RowRatios, tokens: RowTokens): ReceiptLine[] {
  const line = (name: ReceiptLine['name'], count: number, ratio: FixedPoint) =>
    receiptLine({ name, count, unitPrice: multiply(ratios.modelRatio, ratio), per: 'million' })
  if (ratios.isAudio) {
    return [
      line('inputText', tokens.textInput, one),
      line('inputAudio', tokens.audioInput, ratios.audioRatio),
      line('outputText', tokens.textOutput, ratios.completionRatio),
      line('outputAudio', tokens.audioOutput, multiply(ratios.audioRatio, ratios.audioCompletionRatio)),
    ]
  }
  const plainInput = ratios.isAnthropic ? tokens.prompt : tokens.prompt - tokens.cacheRead
  return [
    line('inputText', plainInput, one),
    line('cacheRead', tokens.cacheRead, ratios.cacheRatio),
    line('cacheWrite5m', tokens.cacheCreation, ratios.cacheCreationRatio),
    line('outputText', tokens.completion, ratios.completionRatio),
  ]
}

function receiptLine(line: Omit<ReceiptLine, 'amount'>): ReceiptLine {
  return { ...line, amount: multiply(line.unitPrice, { digits: BigInt(line.count), scale: 0 }) }
}
