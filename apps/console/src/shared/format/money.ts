/**
 * The only money formatter. Quota units are integers; an amount in currency is units / unitsPerDollar,
 * computed with integers so that the last digit is exact.
 */
export interface MoneyRule {
  /** Quota units per dollar. */
  readonly unitsPerDollar: number
  /** If false, quota is shown in units. */
  readonly isCurrency: boolean
}

/** For a receipt, a charge or a limit: all six decimals, `$0.064876`; or every unit, `32,438`. */
export function exactMoney(units: number, rule: MoneyRule): string {
  return rule.isCurrency ? dollars(units, rule) : groupedInteger(Math.trunc(units))
}

/**
 * For an amount in a summary, such as a balance, a total or a figure on a card. Rounded to the cent,
 * `$128.40`; more decimals below one cent, `$0.0042`. Units are abbreviated, `64.2M`.
 */
export function summaryMoney(units: number, rule: MoneyRule): string {
  return rule.isCurrency ? columnMoney([units], rule)(units) : abbreviated(units)
}

/**
 * For amounts below or beside each other, which get the same number of decimals: two, or more if one of them
 * is below a cent and none is so large that the decimals would be noise. An amount too small for them is
 * shown as `<$0.01`.
 */
export function columnMoney(all: readonly number[], rule: MoneyRule): (units: number) => string {
  if (!rule.isCurrency) return (units) => groupedInteger(units)
  const places = placesFor(all, rule)
  return (units) => rounded(units, rule, places)
}

/** A price or an amount that is already in dollars, as the server's decimal string or number. */
export function dollarAmount(amount: number, decimals = 6): string {
  const text = Math.abs(amount).toFixed(decimals)
  return `${Number(text) !== 0 && amount < 0 ? '-' : ''}$${grouped(text)}`
}

/** From 1e4 as k, from 1e6 as M, from 1e9 as B; smaller numbers are shown in full. */
export function abbreviated(value: number): string {
  const size = Math.abs(value)
  const step = steps.find(({ from }) => size >= from)
  if (step === undefined) return groupedInteger(value)
  return `${trimmed((value / step.unit).toFixed(1))}${step.letter}`
}

export function groupedInteger(value: number): string {
  return `${value < 0 ? '-' : ''}${grouped(String(Math.abs(Math.trunc(value))))}`
}

/** 999,950 would be rounded to 1000k, so it is shown as 1M. */
const steps = [
  { from: 999_950_000, unit: 1e9, letter: 'B' },
  { from: 999_950, unit: 1e6, letter: 'M' },
  { from: 10_000, unit: 1e3, letter: 'k' },
] as const

/** Six decimals are exact for the usual 500,000 units per dollar. */
const DECIMALS = 6

function dollars(units: number, rule: MoneyRule): string {
  const scaled = (size(units) * 10n ** BigInt(DECIMALS)) / BigInt(rule.unitsPerDollar)
  return written(units < 0, scaled, DECIMALS)
}

/** Rounds to the nearest, halves away from zero. */
function rounded(units: number, rule: MoneyRule, decimals: number): string {
  const dollar = BigInt(rule.unitsPerDollar)
  const scaled = (size(units) * 10n ** BigInt(decimals) * 2n + dollar) / (dollar * 2n)
  if (scaled > 0n || size(units) === 0n) return written(units < 0, scaled, decimals)
  return units < 0 ? `>${written(true, 1n, decimals)}` : `<${written(false, 1n, decimals)}`
}

const CENT = 0.01
const HUNDREDTH_OF_CENT = 0.0001

/** The number of decimals: cents, hundredths of a cent, or millionths of a dollar. */
function placesFor(all: readonly number[], { unitsPerDollar }: MoneyRule): number {
  const amounts = all.filter((units) => units !== 0).map((units) => Math.abs(units) / unitsPerDollar)
  const [smallest, largest] = [Math.min(...amounts), Math.max(...amounts)]
  if (smallest >= CENT || largest >= 1) return 2
  return smallest >= HUNDREDTH_OF_CENT || largest >= CENT ? 4 : 6
}

function size(units: number): bigint {
  return BigInt(Math.trunc(Math.abs(units)))
}

function written(isNegative: boolean, scaled: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals)
  const sign = isNegative && scaled > 0n ? '-' : ''
  return `${sign}$${grouped(String(scaled / scale))}.${String(scaled % scale).padStart(decimals, '0')}`
}

function grouped(digits: string): string {
  const [whole = '0', fraction] = digits.split('.')
  const withCommas = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? withCommas : `${withCommas}.${fraction}`
}

function trimmed(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text
}
