import type { Chart, TooltipModel, ChartType } from 'chart.js'
import type { Drawing } from './drawing.ts'

const GAP_PX = 14

/**
 * Fills the tooltip box and places it beside the element under the mouse. The box stays inside its figure.
 */
export function showTooltip(box: HTMLElement, tooltip: Drawing['tooltip']) {
  return ({ chart, tooltip: model }: { chart: Chart; tooltip: TooltipModel<ChartType> }): void => {
    const index = model.opacity === 0 ? undefined : model.dataPoints[0]?.dataIndex
    const content = index === undefined ? undefined : tooltip(index)
    box.hidden = content === undefined
    if (content === undefined) return
    box.replaceChildren(content)
    const right = model.caretX + GAP_PX
    const left = model.caretX - GAP_PX - box.offsetWidth
    const isAtRight = right + box.offsetWidth <= chart.width
    const x = within(isAtRight ? right : left, chart.width - box.offsetWidth)
    const y = within(model.caretY - box.offsetHeight / 2, chart.height - box.offsetHeight)
    box.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`
  }
}

function within(place: number, highest: number): number {
  return Math.max(0, Math.min(place, highest))
}
