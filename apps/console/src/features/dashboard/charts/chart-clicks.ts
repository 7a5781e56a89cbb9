import type { Chart, ChartEvent, Plugin } from 'chart.js'

export interface ChartClicks {
  /** Called for a click on a bar, a slice or a point, with the index of the dataset and of the value. */
  readonly onPick: (place: { readonly seriesIndex: number; readonly dataIndex: number }) => void
  /** Called for a click elsewhere in the column of a bar. Omitted for charts without columns. */
  readonly onPickColumn: ((index: number) => void) | undefined
}

/** On a touch screen a tap only shows the tooltip; the same links are in the lists and tables. */
const mouse = globalThis.matchMedia?.('(hover: hover)')
const hasMouse = () => mouse?.matches ?? true

/**
 * A Chart.js plugin for mouse clicks on a chart; `picks` returns the callbacks that are current at that
 * moment.
 */
export function chartClickPlugin(picks: () => ChartClicks | undefined): Plugin {
  return {
    id: 'picks',
    afterEvent: (chart, { event, replay, inChartArea }) => {
      if (replay || !hasMouse()) return
      const picked = inChartArea ? pickedAt(chart, event, picks()) : undefined
      chart.canvas.style.cursor = picked ? 'pointer' : 'default'
      if (event.type === 'click') picked?.()
    },
  }
}

/** The action for a click at this position; `undefined`: none. */
function pickedAt(
  chart: Chart,
  { native }: ChartEvent,
  picks: ChartClicks | undefined,
): (() => void) | undefined {
  if (!native || !picks) return undefined
  const { onPick, onPickColumn } = picks
  const [item] = chart.getElementsAtEventForMode(native, 'nearest', { intersect: true }, true)
  if (item) return () => onPick({ seriesIndex: item.datasetIndex, dataIndex: item.index })
  const [inColumn] = chart.getElementsAtEventForMode(native, 'index', { intersect: false }, true)
  return inColumn && onPickColumn && (() => onPickColumn(inColumn.index))
}
