import type { ChartOptions } from 'chart.js'
import { type ThemeName, palettes, type } from '../../../shared/design/tokens.ts'
import type { ChartLook } from './look.ts'

/** Of charts over time: columns from left to right, values upwards. */

/** The tooltip is of the whole column; only what the mouse is on is emphasised. */
export const overColumns = {
  interaction: { mode: 'index', intersect: false },
  hover: { mode: 'nearest', intersect: true },
} as const satisfies ChartOptions

/** No lines across the chart, and no marks beside the texts of the axis. */
export const NO_GRID = { display: false, drawTicks: false } as const

export function columnAxis(theme: ThemeName) {
  return {
    grid: NO_GRID,
    border: { color: palettes[theme].line },
    ticks: { ...axisText(theme), maxRotation: 0, autoSkipPadding: 16 },
  }
}

/** About four lines, from zero. Amounts, milliseconds and calls are all whole numbers. */
export function valueAxis({ theme, axis }: ChartLook) {
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
