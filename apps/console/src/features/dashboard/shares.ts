import type { Measure } from './search.ts'
import { type KeySums, measured } from './series/series.ts'

export interface Share {
  readonly key: KeySums
  readonly amount: number
  /** Share of the total, from 0 to 1. */
  readonly part: number
}

/** Each key's share of the total. A key that got back more than it was charged has a share of 0. */
export function sharesOf(keys: readonly KeySums[], measure: Measure): readonly Share[] {
  const amounts = keys.map((key) => ({ key, amount: measured(key, measure) }))
  const whole = amounts.reduce((sum, { amount }) => sum + Math.max(0, amount), 0)
  return amounts
    .toSorted(
      (left, right) => Number(left.key.isRest) - Number(right.key.isRest) || right.amount - left.amount,
    )
    .map(({ key, amount }) => ({ key, amount, part: whole === 0 ? 0 : Math.max(0, amount) / whole }))
}

const SMALLEST_SHOWN = 0.0005

/** `42.3 %`; `<0.1 %` for a share that would be rounded to zero. */
export function shareText(part: number): string {
  if (part > 0 && part < SMALLEST_SHOWN) return '<0.1 %'
  return `${(part * 100).toFixed(1)} %`
}
