import { useMemo } from 'react'
import { useStatus } from '../session/status.ts'
import { columnMoney, exactMoney, type MoneyRule, summaryMoney } from './money.ts'

export interface Money {
  /** For a receipt, a charge or a limit: every decimal. */
  readonly exact: (units: number) => string
  /** For a balance, a total or another single figure: rounded to the cent. */
  readonly summary: (units: number) => string
  /** For amounts that are compared: all with the same number of decimals. */
  readonly column: (all: readonly number[]) => (units: number) => string
  readonly rule: MoneyRule
}

/** Money formatters for this site: currency or units, depending on the site's settings. */
export function useMoney(): Money {
  const { quota_per_unit: unitsPerDollar, display_in_currency: isCurrency } = useStatus()
  return useMemo(() => {
    const rule = { unitsPerDollar, isCurrency }
    return {
      rule,
      exact: (units) => exactMoney(units, rule),
      summary: (units) => summaryMoney(units, rule),
      column: (all) => columnMoney(all, rule),
    }
  }, [unitsPerDollar, isCurrency])
}
