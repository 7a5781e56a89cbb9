import type { ChartData, ChartOptions } from 'chart.js'

/** What the library needs to draw one chart. */
export interface Drawing {
  readonly type: 'bar' | 'doughnut'
  readonly data: ChartData
  readonly options: ChartOptions
  /** What the tooltip says of the value or the column with this index; `undefined`: nothing. */
  readonly tooltip: (index: number) => HTMLElement | undefined
}
