import { defaultRatios } from '@tollgate/billing/default-ratios'
import { type Row, rowCodec } from '../../../shared/rows/row-shapes.ts'
import type { PriceUnit } from './part-labels.ts'
import { type Extras, type LengthTier, type Named, readTiers } from './price-extras.ts'
import { type PricePart, type PriceRow, usageParts } from './price-rows.ts'
import { factorOf, pricesOf, ratiosOf, timesFactor } from './price-units.ts'

/** One model with all that its price is made of. */
export interface PricedRow extends PriceRow {
  readonly extras: Extras
}

/** What stands in the dialog; a field that is empty says nothing. */
export interface Entered extends Partial<Record<PricePart, number | null>> {
  readonly model?: string
  readonly mode: 'call' | 'usage'
  readonly tools?: Readonly<Record<string, number | null>>
  readonly tiers?: Readonly<Record<string, number | null>>
  readonly lengths?: readonly Row[]
  /** Not those of a wider name either. */
  readonly hasNoLengths?: boolean
}

/** What each cell of a longer call is a factor of; the first cell says how long. */
const lengthBases = ['ratio', 'completion', 'cache'] as const
export type LengthBase = (typeof lengthBases)[number]
const lengthCells = { ratio: 'input', completion: 'output', cache: 'cache' } as const

/** Factors can be shown as money when what they are factors of has a price here. */
export function hasLengthPrices({ parts, extras }: PricedRow): boolean {
  const prices = pricesOf(parts)
  return (extras.lengths ?? []).every((tier) =>
    lengthBases.every((base) => tier[lengthCells[base]] === undefined || (prices[base] ?? 0) > 0),
  )
}

export function hasTierPrices({ parts, extras }: PricedRow): boolean {
  return Object.keys(extras.tiers).length === 0 || (tierBase(pricesOf(parts)) ?? 0) > 0
}

/** How a price stands in the dialog. */
export function enteredOf(row: PricedRow, units: EntryUnits): Omit<Entered, 'mode' | 'model'> {
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

/** In what unit each kind of field is. */
export interface EntryUnits {
  readonly parts: PriceUnit
  readonly tiers: PriceUnit
  readonly lengths: PriceUnit
}

/** The price that was entered for a model which had `before`; what was not touched stays to the last digit. */
export function pricedRow(entered: Entered, before: PricedRow, units: EntryUnits): PricedRow {
  const told = partsTold(entered)
  const prices = units.parts === 'money' ? told : pricesOf(told)
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

/** The parts that were entered, as they are stored. */
export function enteredParts(entered: Entered, before: PriceRow, unit: PriceUnit): PriceRow['parts'] {
  const told = partsTold(entered)
  if (unit === 'ratio') return told
  return { ...unpriced(entered, before), ...ratiosOf(told, before.parts, audioRatio(before)) }
}

/** Several models at once: what is empty stays as it is for each of them. */
export function batchedRow(entered: Entered, before: PricedRow, unit: PriceUnit): PricedRow {
  const told = partsTold(entered)
  const audio = audioRatio(before)
  const kept = Object.fromEntries(
    Object.entries(before.parts).filter(([part]) => (part === 'price') === (entered.mode === 'call')),
  )
  const parts =
    unit === 'money'
      ? ratiosOf({ ...pricesOf(kept, audio), ...told }, before.parts, audio)
      : { ...kept, ...told }
  // A part beside a built-in one has no price here, and was not touched.
  return {
    model: before.model,
    parts: { ...kept, ...parts },
    extras: { ...before.extras, tools: { ...before.extras.tools, ...numbersOf(entered.tools) } },
  }
}

/** Whether anything was entered for all of them. */
export function saysSomething(entered: Entered): boolean {
  return Object.keys({ ...partsTold(entered), ...numbersOf(entered.tools) }).length > 0
}

/** The parts that need a price before a longer call can have one. */
export function missingBases(entered: Entered): readonly LengthBase[] {
  const rows = (entered.lengths ?? []).filter(isFilled)
  return lengthBases.filter((base, place) =>
    rows.some((row) => (row[place + 1] ?? '').trim() !== '' && !((entered[base] ?? 0) > 0)),
  )
}

/** The tiers of the lines, as they would be stored; `undefined` when a line is no tier. */
export function tiersOfRows(rows: readonly Row[]): readonly LengthTier[] | undefined {
  return readTiers(rowCodec('tiers').write(rows.filter(isFilled)))
}

function isFilled(row: Row): boolean {
  return row.some((cell) => cell.trim() !== '')
}

/** What the mode uses and has a number. */
function partsTold(entered: Entered): PriceRow['parts'] {
  const used: readonly PricePart[] = entered.mode === 'call' ? ['price'] : usageParts
  return numbersOf(Object.fromEntries(used.map((part) => [part, entered[part]])))
}

function numbersOf(values: Readonly<Record<string, number | null | undefined>> = {}): Named {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value]] : [])),
  )
}

/** Ratios beside a built-in price: no money could show them, so nobody took them away. */
function unpriced(entered: Entered, { parts }: PriceRow): PriceRow['parts'] {
  if (entered.mode === 'call' || parts.ratio !== undefined) return {}
  const { price: _price, ...ratios } = parts
  return ratios
}

/** What audio costs against text where nothing is set: audio that comes out is a factor of it. */
function audioRatio({ model }: PriceRow): number {
  return Number(defaultRatios(model).audio)
}

/** A tier is told by the price of its input, or of its call. */
function tierBase(prices: PriceRow['parts']): number | undefined {
  return prices.price ?? prices.ratio
}

interface TierInput {
  readonly prices: PriceRow['parts']
  readonly before: Named
  readonly unit: PriceUnit
}

function tiersOf({ tiers }: Entered, { prices, before, unit }: TierInput): Named {
  const told = numbersOf(tiers)
  if (unit === 'ratio') return told
  const base = tierBase(prices) ?? 0
  return Object.fromEntries(
    Object.entries(told).flatMap(([tier, price]) =>
      base > 0 ? [[tier, factorOf(price, base, before[tier])]] : [],
    ),
  )
}

interface LengthInput {
  readonly before: PricedRow
  readonly prices: PriceRow['parts']
  readonly units: EntryUnits
}

function lengthsOf(entered: Entered, { before, prices, units }: LengthInput): Extras['lengths'] {
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
