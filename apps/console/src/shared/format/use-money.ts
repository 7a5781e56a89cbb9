import { useMemo } from 'react'
import { useStatus } from '../session/status.ts'
import { exactMoney, glanceMoney, type MoneyRule, shortMoney } from './money.ts'

export interface Money {
  /** A charge or a limit, every decimal. */
  readonly exact: (units: number) => string
  /** A balance at a glance. */
  readonly short: (units: number) => string
  /** A figure among others: never nothing when it is something. */
  readonly glance: (units: number) => string
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
      short: (units) => shortMoney(units, rule),
      glance: (units) => glanceMoney(units, rule),
    }
  }, [unitsPerDollar, isCurrency])
}
