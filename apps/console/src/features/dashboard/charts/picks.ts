import type { Chart, ChartEvent, Plugin } from 'chart.js'

export interface Picks {
  /** A press on a bar, a slice or a point: which of the series, and which of its values. */
  readonly onPick: (place: { readonly seriesIndex: number; readonly dataIndex: number }) => void
  /** A press elsewhere in the column of a bar. Left out for charts without columns. */
  readonly onPickColumn: ((index: number) => void) | undefined
}

/** On a screen that is touched, a press shows the tooltip; the same links are in the lists and tables. */
const mouse = globalThis.matchMedia?.('(hover: hover)')
const hasMouse = () => mouse?.matches ?? true

/** Listens to the mouse over a chart; `picks` tells who wants to know at that moment. */
export function pickListener(picks: () => Picks | undefined): Plugin {
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

/** What a press here would do; `undefined`: nothing. */
function pickedAt(chart: Chart, { native }: ChartEvent, picks: Picks | undefined): (() => void) | undefined {
  if (!native || !picks) return undefined
  const { onPick, onPickColumn } = picks
  const [item] = chart.getElementsAtEventForMode(native, 'nearest', { intersect: true }, true)
  if (item) return () => onPick({ seriesIndex: item.datasetIndex, dataIndex: item.index })
  const [inColumn] = chart.getElementsAtEventForMode(native, 'index', { intersect: false }, true)
  return inColumn && onPickColumn && (() => onPickColumn(inColumn.index))
}
