/** Finer than any unit that a site would choose. */
const DECIMALS_MAX = 12n

/**
 * An amount in the currency of the site, of which `unit` quota units are one, for cells of a file: every digit of it. Where a unit is no finite decimal, what
 * is beyond twelve places is cut.
 */
export function currencyAmount(units: bigint, unit: number): number {
  const scaled = (units * 10n ** DECIMALS_MAX) / BigInt(unit)
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(Number(DECIMALS_MAX) + 1, '0')
  const places = -Number(DECIMALS_MAX)
  return Number(`${scaled < 0n ? '-' : ''}${digits.slice(0, places)}.${digits.slice(places)}`)
}
