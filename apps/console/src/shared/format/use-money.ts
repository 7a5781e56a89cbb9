import { useMemo } from 'react'
import { useStatus } from '../session/status.ts'
import { columnMoney, exactMoney, type MoneyRule, summaryMoney } from './money.ts'

export interface Money {
  /** A receipt, a charge or a limit: every decimal. */
  readonly exact: (units: number) => string
  /** A balance, a total or another figure by itself: to the cent. */
  readonly summary: (units: number) => string
  /** The same for amounts that are compared: all of them with as many places. */
  readonly column: (all: readonly number[]) => (units: number) => string
  readonly rule: MoneyRule
}

/** Money as this site shows it: currency or units, by the site's settings. */
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
