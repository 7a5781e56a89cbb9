import { defaultRatios } from '@tollgate/billing/default-ratios'
import { type Row, rowCodec } from '../../../shared/rows/row-shapes.ts'
import type { PriceUnit } from './part-labels.ts'
import { type Extras, type LengthTier, type Named, readTiers } from './price-extras.ts'
import { type PricePart, type PriceRow, usageParts } from './price-rows.ts'
import { factorOf, pricesOf, ratiosOf, timesFactor } from './price-units.ts'

/** One model with all parts of its price. */
export interface PricedRow extends PriceRow {
  readonly extras: Extras
}

/** The values of the dialog; an empty field means "not set". */
export interface PriceFormValue extends Partial<Record<PricePart, number | null>> {
  readonly model?: string
  readonly mode: 'call' | 'usage'
  readonly tools?: Readonly<Record<string, number | null>>
  readonly tiers?: Readonly<Record<string, number | null>>
  readonly lengths?: readonly Row[]
  /** Long-call prices of a more general entry do not apply either. */
  readonly hasNoLengths?: boolean
}

/** The base of each cell of a long-call tier. The first cell holds the length. */
const lengthBases = ['ratio', 'completion', 'cache'] as const
export type LengthBase = (typeof lengthBases)[number]
const lengthCells = { ratio: 'input', completion: 'output', cache: 'cache' } as const

/** Whether the factors can be shown as money: each base must have a price in this row. */
export function hasLengthPrices({ parts, extras }: PricedRow): boolean {
  const prices = pricesOf(parts)
  return (extras.lengths ?? []).every((tier) =>
    lengthBases.every((base) => tier[lengthCells[base]] === undefined || (prices[base] ?? 0) > 0),
  )
}

export function hasTierPrices({ parts, extras }: PricedRow): boolean {
  return Object.keys(extras.tiers).length === 0 || (tierBase(pricesOf(parts)) ?? 0) > 0
}

/** Converts a stored price to the values of the dialog. */
export function enteredOf(row: PricedRow, units: EntryUnits): Omit<PriceFormValue, 'mode' | 'model'> {
  const { parts, extras } = row
  const prices = pricesOf(parts, audioRatio(row))
  const base = tierBase(prices) ?? 0
  const tiers = Object.entries(extras.tiers).map(([tier, factor]) => [
    tier,
    units.tiers === 'money' ? timesFactor(base, factor) : factor,
  ])
  return {
    ...(units.parts === 'money' ? prices : parts),
    tools: extras.tools,
    tiers: Object.fromEntries(tiers),
    lengths: (extras.lengths ?? []).map((tier) => lengthRow(tier, units.lengths, prices)),
    hasNoLengths: extras.lengths?.length === 0,
  }
}

/** The unit of each kind of field. */
export interface EntryUnits {
  readonly parts: PriceUnit
  readonly tiers: PriceUnit
  readonly lengths: PriceUnit
}

/**
 * Converts the entered price of a model; `before` is its stored row. Untouched values are kept to the last
 * digit.
 */
export function pricedRow(entered: PriceFormValue, before: PricedRow, units: EntryUnits): PricedRow {
  const reported = partsTold(entered)
  const prices = units.parts === 'money' ? reported : pricesOf(reported)
  return {
    model: before.model,
    parts: enteredParts(entered, before, units.parts),
    extras: {
      tools: numbersOf(entered.tools),
      tiers: tiersOf(entered, { prices, before: before.extras.tiers, unit: units.tiers }),
      lengths: entered.mode === 'call' ? undefined : lengthsOf(entered, { before, prices, units }),
    },
  }
}

/** The entered parts, converted to stored ratios. */
export function enteredParts(entered: PriceFormValue, before: PriceRow, unit: PriceUnit): PriceRow['parts'] {
  const reported = partsTold(entered)
  if (unit === 'ratio') return reported
  return { ...unpriced(entered, before), ...ratiosOf(reported, before.parts, audioRatio(before)) }
}

/** Applies a batch edit to one model: empty fields keep the model's value. */
export function batchedRow(entered: PriceFormValue, before: PricedRow, unit: PriceUnit): PricedRow {
  const reported = partsTold(entered)
  const audio = audioRatio(before)
  const kept = Object.fromEntries(
    Object.entries(before.parts).filter(([part]) => (part === 'price') === (entered.mode === 'call')),
  )
  const parts =
    unit === 'money'
      ? ratiosOf({ ...pricesOf(kept, audio), ...reported }, before.parts, audio)
      : { ...kept, ...reported }
  // A part of a model with a built-in price cannot be shown as money here, so it was not edited and is kept.
  return {
    model: before.model,
    parts: { ...kept, ...parts },
    extras: { ...before.extras, tools: { ...before.extras.tools, ...numbersOf(entered.tools) } },
  }
}

/** Whether a batch edit contains any value. */
export function hasAnyValue(entered: PriceFormValue): boolean {
  return Object.keys({ ...partsTold(entered), ...numbersOf(entered.tools) }).length > 0
}

/** The parts that need a price before a long-call tier can be entered. */
export function missingBases(entered: PriceFormValue): readonly LengthBase[] {
  const rows = (entered.lengths ?? []).filter(isFilled)
  return lengthBases.filter((base, place) =>
    rows.some((row) => (row[place + 1] ?? '').trim() !== '' && !((entered[base] ?? 0) > 0)),
  )
}

/** The rows as stored tiers; `undefined` if a row is not a valid tier. */
export function tiersOfRows(rows: readonly Row[]): readonly LengthTier[] | undefined {
  return readTiers(rowCodec('tiers').write(rows.filter(isFilled)))
}

function isFilled(row: Row): boolean {
  return row.some((cell) => cell.trim() !== '')
}

/** The parts that the mode uses and that have a number. */
function partsTold(entered: PriceFormValue): PriceRow['parts'] {
  const used: readonly PricePart[] = entered.mode === 'call' ? ['price'] : usageParts
  return numbersOf(Object.fromEntries(used.map((part) => [part, entered[part]])))
}

function numbersOf(values: Readonly<Record<string, number | null | undefined>> = {}): Named {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value]] : [])),
  )
}

/**
 * Ratios of a model with a built-in price. They could not be shown as money, so the reader cannot have
 * removed them.
 */
function unpriced(entered: PriceFormValue, { parts }: PriceRow): PriceRow['parts'] {
  if (entered.mode === 'call' || parts.ratio !== undefined) return {}
  const { price: _price, ...ratios } = parts
  return ratios
}

/** The default ratio of audio to text input. Audio output is priced as a factor of audio input. */
function audioRatio({ model }: PriceRow): number {
  return Number(defaultRatios(model).audio)
}

/** A tier is entered as its price for input, or per call. */
function tierBase(prices: PriceRow['parts']): number | undefined {
  return prices.price ?? prices.ratio
}

interface TierInput {
  readonly prices: PriceRow['parts']
  readonly before: Named
  readonly unit: PriceUnit
}

function tiersOf({ tiers }: PriceFormValue, { prices, before, unit }: TierInput): Named {
  const reported = numbersOf(tiers)
  if (unit === 'ratio') return reported
  const base = tierBase(prices) ?? 0
  return Object.fromEntries(
    Object.entries(reported).flatMap(([tier, price]) =>
      base > 0 ? [[tier, factorOf(price, base, before[tier])]] : [],
    ),
  )
}

interface LengthInput {
  readonly before: PricedRow
  readonly prices: PriceRow['parts']
  readonly units: EntryUnits
}

function lengthsOf(entered: PriceFormValue, { before, prices, units }: LengthInput): Extras['lengths'] {
  if (entered.hasNoLengths === true) return []
  const tiers = tiersOfRows(entered.lengths ?? [])
  if (tiers === undefined || tiers.length === 0) return undefined
  if (units.lengths === 'ratio') return tiers
  return tiers.map((tier) => {
    const old = before.extras.lengths?.find(({ above }) => above === tier.above)
    const factors = lengthBases.flatMap((base) => {
      const cell = lengthCells[base]
      const price = tier[cell]
      return price === undefined ? [] : [[cell, factorOf(price, prices[base] ?? 1, old?.[cell])]]
    })
    return { ...tier, ...Object.fromEntries(factors) }
  })
}

function lengthRow(tier: LengthTier, unit: PriceUnit, prices: PriceRow['parts']): Row {
  const cells = lengthBases.map((base) => {
    const factor = tier[lengthCells[base]]
    if (factor === undefined) return ''
    return String(unit === 'money' ? timesFactor(prices[base] ?? 1, factor) : factor)
  })
  return [String(tier.above), ...cells]
}
