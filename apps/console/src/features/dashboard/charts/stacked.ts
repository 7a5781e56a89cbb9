import type { Measure } from '../search.ts'
import { type KeySums, type SeriesStep, measured, nameOf } from '../series/series.ts'
import { stepName } from '../step-name.ts'
import { columnAxis, overColumns, valueAxis } from './axes.ts'
import type { Drawing } from './drawing.ts'
import { type ChartFormat, colourOf, pointedAt } from './look.ts'
import { barTooltip } from './tooltip.ts'

interface StackedInput {
  readonly steps: readonly SeriesStep[]
  readonly keys: readonly KeySums[]
  readonly measure: Measure
  readonly stepSeconds: number
  readonly look: ChartFormat
  readonly totalName: string
}

/** Stacked bars over time, one piece for each key. `Legend` below them names the colours. */
export function stackedBars(input: StackedInput): Drawing {
  const { steps, keys, measure, stepSeconds, look } = input
  return {
    type: 'bar',
    data: {
      labels: steps.map(({ at }) => stepName(at, stepSeconds)),
      datasets: keys.map((key) => ({
        type: 'bar',
        label: look.keyName(key),
        maxBarThickness: 28,
        categoryPercentage: 0.8,
        barPercentage: 1,
        backgroundColor: colourOf(look.theme, key, keys),
        hoverBackgroundColor: pointedAt(colourOf(look.theme, key, keys)),
        data: steps.map((step) => {
          const sums = step.byKey.get(nameOf(key))
          return sums ? measured(sums, measure) : 0
        }),
      })),
    },
    options: {
      ...overColumns,
      scales: {
        x: { ...columnAxis(look.theme), stacked: true },
        y: { ...valueAxis(look), stacked: true },
      },
    },
    tooltip: (index) => stackTooltip(input, steps[index]),
  }
}

function stackTooltip(
  { keys, measure, stepSeconds, look, totalName }: StackedInput,
  step: SeriesStep | undefined,
): HTMLElement | undefined {
  if (step === undefined) return undefined
  return barTooltip({
    heading: stepName(step.at, stepSeconds),
    total: { name: totalName, amount: measured(step, measure) },
    parts: keys.flatMap((key) => {
      const sums = step.byKey.get(nameOf(key))
      if (sums === undefined) return []
      return [
        { name: look.keyName(key), colour: colourOf(look.theme, key, keys), amount: measured(sums, measure) },
      ]
    }),
    value: look.value,
  })
}
