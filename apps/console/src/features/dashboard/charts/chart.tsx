import type { Chart as DrawnChart } from 'chart.js'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import styles from './chart.module.css'
import type { Drawing } from './drawing.ts'
import { pickListener, type Picks } from './picks.ts'
import { showTooltip } from './tooltip-box.ts'

interface ChartProps {
  /** What it shows, for who cannot see it; the numbers are in the table beside it. */
  readonly label: string
  /** `undefined` while the numbers come: its place is shaded. */
  readonly drawing: Drawing | undefined
  readonly heightPx: number
  /** For the mouse. Where it leads must be reached from a list or table beside the chart too, for keys and fingers. */
  readonly picks: Picks
}

/** One drawing. Its place is kept before the library is there, so that nothing moves. */
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
      plugins: [pickListener(() => picksNow())],
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

/** A canvas does not draw its texts again when a font arrives. */
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
