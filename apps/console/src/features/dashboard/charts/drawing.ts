import type { ChartData, ChartOptions } from 'chart.js'

/** The input of Chart.js for one chart. */
export interface Drawing {
  readonly type: 'bar' | 'doughnut'
  readonly data: ChartData
  readonly options: ChartOptions
  /** Content of the tooltip for the value or the column with this index; `undefined`: no tooltip. */
  readonly tooltip: (index: number) => HTMLElement | undefined
}
