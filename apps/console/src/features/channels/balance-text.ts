import type { Channel } from '@tollgate/contract/channel'

const SIGNS: Readonly<Record<string, string>> = { USD: '$', CNY: '¥', '': '' }

/** `$17.35`, `¥20.00`, `1200.00 points`: each upstream has its own currency. */
export function balanceText({
  balance,
  balance_currency: currency,
}: Pick<Channel, 'balance' | 'balance_currency'>): string {
  const amount = balance.toFixed(2)
  const sign = SIGNS[currency]
  return sign === undefined ? `${amount} ${currency}` : `${sign}${amount}`
}
