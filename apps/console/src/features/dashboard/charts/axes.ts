import type { ChartOptions } from 'chart.js'
import { type ThemeName, palettes, type } from '../../../shared/design/tokens.ts'
import type { ChartFormat } from './look.ts'

/** Options for charts over time: columns from left to right, values upwards. */

/** The tooltip covers the whole column, but only the element under the mouse is highlighted. */
export const overColumns = {
  interaction: { mode: 'index', intersect: false },
  hover: { mode: 'nearest', intersect: true },
} as const satisfies ChartOptions

/** No lines across the chart, and no tick marks beside the axis labels. */
export const NO_GRID = { display: false, drawTicks: false } as const

export function columnAxis(theme: ThemeName) {
  return {
    grid: NO_GRID,
    border: { color: palettes[theme].line },
    ticks: { ...axisText(theme), maxRotation: 0, autoSkipPadding: 16 },
  }
}

/** A value axis from zero with about four lines. Amounts, milliseconds and calls are all integers. */
export function valueAxis({ theme, axis }: ChartFormat) {
  return {
    beginAtZero: true,
    border: { display: false },
    grid: { color: palettes[theme].faintLine, drawTicks: false },
    ticks: {
      ...axisText(theme),
      precision: 0,
      maxTicksLimit: 6,
      callback: (amount: number | string) => axis(Number(amount)),
    },
  }
}

function axisText(theme: ThemeName) {
  return { color: palettes[theme].muted, font: { family: type.text, size: 12 }, padding: 8 }
}
