import { currencyText } from '@tollgate/billing/currency'

/** Converts quota units into the site's currency, of which `unit` quota units are one, for the cells of a file. */
export function currencyAmount(units: bigint, unit: number): number {
  return Number(currencyText(units, String(unit)))
}
