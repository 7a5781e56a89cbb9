import { unitsText } from '@tollgate/contract/log-event/units-text'
import type { Language } from '@tollgate/problems/problem'
import type { Options } from './services.ts'

/**
 * An amount for a log row in the format of new-api: `＄1.000000 额度`, or `500000 点额度` when currency display is
 * off.
 */
export function amountText(options: Options, units: bigint): string {
  return options.get('DisplayInCurrencyEnabled') ? `${currencyText(options, units)} 额度` : `${units} 点额度`
}

/** The same amount with an ordinary dollar sign, for sentences to a person. */
export function plainCurrencyText(options: Options, units: bigint): string {
  return currencyText(options, units).replace('＄', '$')
}

/** Six decimals, truncated and not rounded, so that the text never shows more than there is. */
export function currencyText(options: Options, units: bigint): string {
  const millionths = (units * 1_000_000n) / BigInt(options.get('QuotaPerUnit'))
  const digits = String(millionths < 0n ? -millionths : millionths).padStart(7, '0')
  return `${millionths < 0n ? '-' : ''}＄${digits.slice(0, -6)}.${digits.slice(-6)}`
}

/** An amount in the format of our own console and its exported files. */
export function readersAmountText(options: Options, units: bigint, language: Language): string {
  if (options.get('DisplayInCurrencyEnabled')) return plainCurrencyText(options, units)
  return unitsText(String(units), language)
}
