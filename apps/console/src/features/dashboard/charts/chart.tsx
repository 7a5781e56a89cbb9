import type { Chart as DrawnChart } from 'chart.js'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import styles from './chart.module.css'
import type { Drawing } from './drawing.ts'
import { chartClickPlugin, type ChartClicks } from './chart-clicks.ts'
import { showTooltip } from './tooltip-box.ts'

interface ChartProps {
  /** Text alternative for screen readers; the numbers are in the table beside the chart. */
  readonly label: string
  /** `undefined` while the numbers are loading: a shaded placeholder is shown. */
  readonly drawing: Drawing | undefined
  readonly heightPx: number
  /**
   * Mouse clicks on the chart. Each target must also be reachable from a list or table beside the chart, for
   * keyboard and touch.
   */
  readonly picks: ChartClicks
}

/** Draws one chart. Its space is reserved before the library is loaded, so that the layout does not move. */
export function Chart({ label, drawing, heightPx, picks }: ChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const tooltip = useRef<HTMLDivElement>(null)
  const [library, setLibrary] = useState<Library>()
  const [chart, setChart] = useState<DrawnChart>()
  const picksNow = useEffectEvent(() => picks)
  const type = drawing?.type
  useEffect(() => {
    let isLeft = false
    void loadLibrary().then((loaded) => isLeft || setLibrary(loaded))
    return () => {
      isLeft = true
    }
  }, [])
  useEffect(() => {
    if (!library || !type || !canvas.current) return undefined
    const drawn = new library.Chart(canvas.current, {
      type,
      data: { datasets: [] },
      options: FRAME,
      plugins: [chartClickPlugin(() => picksNow())],
    })
    setChart(drawn)
    return () => {
      setChart(undefined)
      drawn.destroy()
    }
  }, [library, type])
  useEffect(() => {
    if (chart && drawing && tooltip.current) redraw(chart, drawing, tooltip.current)
  }, [chart, drawing])
  return (
    <figure
      aria-label={label}
      aria-busy={drawing === undefined}
      className={styles.chart}
      style={{ height: heightPx }}
    >
      <canvas ref={canvas} />
      <div ref={tooltip} role="tooltip" className={styles.tooltip} hidden />
    </figure>
  )
}

const FRAME = { animation: false, maintainAspectRatio: false } as const

type Library = typeof import('./chart-library.ts')

/** Also waits for the fonts: a canvas does not redraw its texts when a font arrives later. */
async function loadLibrary(): Promise<Library> {
  const [library] = await Promise.all([import('./chart-library.ts'), document.fonts?.ready])
  return library
}

function redraw(chart: DrawnChart, { data, options, tooltip }: Drawing, box: HTMLElement): void {
  chart.data = data
  chart.options = {
    ...FRAME,
    ...options,
    plugins: { tooltip: { enabled: false, external: showTooltip(box, tooltip) } },
  }
  chart.update()
}
