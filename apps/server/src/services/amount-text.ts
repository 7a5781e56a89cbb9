import type { Options } from './services.ts'

/** An amount in a log row, as the family writes it: `＄1.000000 额度`, or `500000 点额度` where currency is not shown. */
export function amountText(options: Options, units: bigint): string {
  return options.get('DisplayInCurrencyEnabled') ? `${currencyText(options, units)} 额度` : `${units} 点额度`
}

/** Six decimals, cut and not rounded: nobody is told of more than there is. */
export function currencyText(options: Options, units: bigint): string {
  const millionths = (units * 1_000_000n) / BigInt(options.get('QuotaPerUnit'))
  const digits = String(millionths < 0n ? -millionths : millionths).padStart(7, '0')
  return `${millionths < 0n ? '-' : ''}＄${digits.slice(0, -6)}.${digits.slice(-6)}`
}
