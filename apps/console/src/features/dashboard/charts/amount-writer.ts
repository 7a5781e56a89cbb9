import { abbreviated } from '../../../shared/format/money.ts'
import type { Money } from '../../../shared/format/use-money.ts'
import type { Measure } from '../search.ts'
import { measured, type Sums } from '../series/series.ts'
import type { ChartLook } from './look.ts'

/** About as many lines as an axis has. */
const AXIS_LINES = 4

/** How the amounts of a chart and of its table are written: money with one number of places, of an axis by its lines. */
export function amountWriter(measure: Measure, money: Money) {
  return (all: readonly Sums[]): Pick<ChartLook, 'value' | 'axis'> => {
    if (measure !== 'spent') return { value: abbreviated, axis: abbreviated }
    const amounts = all.map((sums) => measured(sums, measure))
    const highest = Math.max(...amounts, 0)
    const axis = money.rule.isCurrency ? money.column([highest / AXIS_LINES]) : abbreviated
    return { value: money.column(amounts), axis }
  }
}
