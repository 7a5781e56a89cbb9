import { type ThemeName, palettes, seriesColours } from '../../../shared/design/tokens.ts'
import { type SeriesStep, averageFirstMs, averageMs } from '../series/series.ts'
import { stepName } from '../step-name.ts'
import { NO_GRID, columnAxis, overColumns, valueAxis } from './axes.ts'
import type { Drawing } from './drawing.ts'
import { type ChartFormat, pointedAt } from './look.ts'
import { linesTooltip } from './tooltip.ts'

interface HealthInput {
  readonly steps: readonly SeriesStep[]
  readonly stepSeconds: number
  readonly look: ChartFormat
  readonly names: { readonly errors: string; readonly whole: string; readonly first: string }
}

/** Index of the dataset that counts the failed calls. */
export const ERRORS_INDEX = 0

/** Latencies against the left axis, failed calls against the right axis. */
export function healthLines({ steps, stepSeconds, look, names }: HealthInput): Drawing {
  const colours = healthColours(look.theme)
  return {
    type: 'bar',
    data: {
      labels: steps.map(({ at }) => stepName(at, stepSeconds)),
      datasets: [
        {
          type: 'bar',
          label: names.errors,
          yAxisID: 'errors',
          // A larger `order` is drawn further behind, so the lines stay visible in front of the bars.
          order: 1,
          maxBarThickness: 14,
          categoryPercentage: 0.8,
          barPercentage: 1,
          backgroundColor: colours.errors,
          hoverBackgroundColor: pointedAt(palettes[look.theme].act),
          data: steps.map(({ errors }) => errors),
        },
        {
          ...line(look.theme, colours.whole),
          label: names.whole,
          data: steps.map((step) => averageMs(step) ?? null),
        },
        {
          ...line(look.theme, colours.first),
          label: names.first,
          data: steps.map((step) => averageFirstMs(step) ?? null),
        },
      ],
    },
    options: {
      ...overColumns,
      scales: {
        x: columnAxis(look.theme),
        y: valueAxis(look),
        errors: { ...valueAxis({ ...look, axis: String }), position: 'right', grid: NO_GRID },
      },
    },
    tooltip: (index) => {
      const step = steps[index]
      if (step === undefined) return undefined
      return linesTooltip(stepName(step.at, stepSeconds), [
        { name: names.errors, colour: colours.errors, text: String(step.errors) },
        { name: names.whole, colour: colours.whole, text: written(averageMs(step), look) },
        { name: names.first, colour: colours.first, text: written(averageFirstMs(step), look) },
      ])
    },
  }
}

function written(ms: number | undefined, { value }: ChartFormat): string {
  return ms === undefined ? '–' : value(ms)
}

/** Bars have 55 % opacity, so that a line in front of them is visible. */
const BAR_OPACITY = '8c'

export function healthColours(theme: ThemeName) {
  const { act, accent } = palettes[theme]
  const [whole = accent, first = accent] = seriesColours[theme]
  return { errors: `${act}${BAR_OPACITY}`, whole, first }
}

/** Steps without calls are bridged by the line. */
function line(theme: ThemeName, colour: string) {
  return {
    type: 'line' as const,
    spanGaps: true,
    borderColor: colour,
    borderWidth: 2,
    pointRadius: 2,
    pointHoverRadius: 3,
    pointHitRadius: 6,
    pointBorderWidth: 1.5,
    pointBackgroundColor: palettes[theme].surface,
    pointHoverBackgroundColor: palettes[theme].surface,
    pointHoverBorderColor: colour,
  }
}
