import { unitsText } from '@tollgate/contract/log-event/units-text'
import type { Language } from '@tollgate/kit/problem'
import type { Options } from './services.ts'

/** An amount in a log row, as the family writes it: `＄1.000000 额度`, or `500000 点额度` where currency is not shown. */
export function amountText(options: Options, units: bigint): string {
  return options.get('DisplayInCurrencyEnabled') ? `${currencyText(options, units)} 额度` : `${units} 点额度`
}

/** The same as a sentence to a person writes it. */
export function plainCurrencyText(options: Options, units: bigint): string {
  return currencyText(options, units).replace('＄', '$')
}

/** Six decimals, cut and not rounded: nobody is told of more than there is. */
export function currencyText(options: Options, units: bigint): string {
  const millionths = (units * 1_000_000n) / BigInt(options.get('QuotaPerUnit'))
  const digits = String(millionths < 0n ? -millionths : millionths).padStart(7, '0')
  return `${millionths < 0n ? '-' : ''}＄${digits.slice(0, -6)}.${digits.slice(-6)}`
}

/** As our own console and files for its readers write an amount. */
export function readersAmountText(options: Options, units: bigint, language: Language): string {
  if (options.get('DisplayInCurrencyEnabled')) return plainCurrencyText(options, units)
  return unitsText(String(units), language)
}
