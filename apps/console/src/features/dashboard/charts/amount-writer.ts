import { abbreviated } from '../../../shared/format/money.ts'
import type { Money } from '../../../shared/format/use-money.ts'
import type { Measure } from '../search.ts'
import { measured, type Sums } from '../series/series.ts'
import type { ChartFormat } from './look.ts'

/** The approximate number of grid lines of an axis. */
const AXIS_LINES = 4

/**
 * Formatters for the amounts of a chart and its table. All amounts of money get the same number of decimals;
 * an axis chooses its own according to the distance between its lines.
 */
export function amountWriter(measure: Measure, money: Money) {
  return (all: readonly Sums[]): Pick<ChartFormat, 'value' | 'axis'> => {
    if (measure !== 'spent') return { value: abbreviated, axis: abbreviated }
    const amounts = all.map((sums) => measured(sums, measure))
    const highest = Math.max(...amounts, 0)
    const axis = money.rule.isCurrency ? money.column([highest / AXIS_LINES]) : abbreviated
    return { value: money.column(amounts), axis }
  }
}
