/** More decimals than any sensible quota unit needs. */
const DECIMALS_MAX = 12n

/**
 * Converts quota units into the site's currency, of which `unit` quota units are one, for the cells of a
 * file: all digits, truncated after twelve decimals.
 */
export function currencyAmount(units: bigint, unit: number): number {
  const scaled = (units * 10n ** DECIMALS_MAX) / BigInt(unit)
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(Number(DECIMALS_MAX) + 1, '0')
  const places = -Number(DECIMALS_MAX)
  return Number(`${scaled < 0n ? '-' : ''}${digits.slice(0, places)}.${digits.slice(places)}`)
}
