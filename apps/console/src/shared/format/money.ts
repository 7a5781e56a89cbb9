/**
 * The one money formatter. Quota units are integers; an amount in currency is units / unitsPerDollar, worked out with
 * whole numbers so that the last digit is the true one.
 */
export interface MoneyRule {
  /** Quota units in one dollar. */
  readonly unitsPerDollar: number
  /** When off, quota is shown as units. */
  readonly isCurrency: boolean
}

/** A charge or a limit: all six decimals, `$0.064876`; or every unit, `32,438`. */
export function exactMoney(units: number, rule: MoneyRule): string {
  return rule.isCurrency ? dollars(units, rule, 6) : groupedInteger(Math.trunc(units))
}

/** A balance at a glance: `$128.40`, never more than there is; or `64.2M` units. */
export function shortMoney(units: number, rule: MoneyRule): string {
  return rule.isCurrency ? dollars(units, rule, 2) : abbreviated(units)
}

/** A figure among others, on an axis or in a row: cents, and where that would be nothing, the first two digits that are not 0. */
export function glanceMoney(units: number, rule: MoneyRule): string {
  const amount = Math.abs(units) / rule.unitsPerDollar
  if (!rule.isCurrency || amount >= 1 || amount === 0) return shortMoney(units, rule)
  const decimals = Math.min(6, Math.max(2, Math.ceil(-Math.log10(amount)) + 1))
  return dollars(units, rule, decimals).replace(/(?<=\.\d\d\d*?)0+$/, '')
}

/** A price or an amount that is already in dollars, as the decimal string or number the server computed. */
export function dollarAmount(amount: number, decimals = 6): string {
  const text = Math.abs(amount).toFixed(decimals)
  return `${Number(text) !== 0 && amount < 0 ? '-' : ''}$${grouped(text)}`
}

/** At least 1e4 as k, 1e6 as M, 1e9 as B; below that every digit. */
export function abbreviated(value: number): string {
  const size = Math.abs(value)
  const step = steps.find(({ from }) => size >= from)
  if (step === undefined) return groupedInteger(value)
  return `${trimmed((value / step.unit).toFixed(1))}${step.letter}`
}

export function groupedInteger(value: number): string {
  return `${value < 0 ? '-' : ''}${grouped(String(Math.abs(Math.trunc(value))))}`
}

/** 999,950 is rounded to a thousand k, which is written 1M. */
const steps = [
  { from: 999_950_000, unit: 1e9, letter: 'B' },
  { from: 999_950, unit: 1e6, letter: 'M' },
  { from: 10_000, unit: 1e3, letter: 'k' },
] as const

/** Six decimals are exact for the usual 500,000 units a dollar; fewer decimals round towards zero. */
function dollars(units: number, rule: MoneyRule, decimals: number): string {
  const scale = 10n ** BigInt(decimals)
  const whole = BigInt(Math.trunc(Math.abs(units)))
  const scaled = (whole * scale) / BigInt(rule.unitsPerDollar)
  const cents = String(scaled % scale).padStart(decimals, '0')
  const sign = units < 0 && scaled > 0n ? '-' : ''
  return `${sign}$${grouped(String(scaled / scale))}.${cents}`
}

function grouped(digits: string): string {
  const [whole = '0', fraction] = digits.split('.')
  const withCommas = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? withCommas : `${withCommas}.${fraction}`
}

function trimmed(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text
}
