import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import styles from './chart.module.css'

interface ChartProps {
  /** What it shows, for who cannot see it; the numbers are in the table beside it. */
  readonly label: string
  /** `undefined` while the numbers come: its place is shaded. */
  readonly option: EChartsCoreOption | undefined
  readonly isLow?: boolean
}

/** One drawing. Its place is kept before the library is there, so that nothing moves. */
export function Chart({ label, option, isLow = false }: ChartProps) {
  const place = useRef<HTMLElement>(null)
  const [chart, setChart] = useState<EChartsType>()
  useEffect(() => {
    const abort = new AbortController()
    void drawIn(place, abort.signal).then(setChart)
    return () => abort.abort()
  }, [])
  useEffect(() => {
    if (option) chart?.setOption({ animation: false, ...option }, { notMerge: true })
    else chart?.clear()
  }, [chart, option])
  return (
    <figure
      ref={place}
      aria-label={label}
      aria-busy={option === undefined}
      className={isLow ? `${styles.chart} ${styles.low}` : styles.chart}
    />
  )
}

/** `undefined` when the page was left before the library came. */
async function drawIn(
  place: RefObject<HTMLElement | null>,
  signal: AbortSignal,
): Promise<EChartsType | undefined> {
  const { init } = await import('./echarts.ts')
  if (signal.aborted || !place.current) return undefined
  const drawn = init(place.current, undefined, { renderer: 'svg' })
  const observer = new ResizeObserver(() => drawn.resize())
  observer.observe(place.current)
  signal.addEventListener('abort', () => {
    observer.disconnect()
    drawn.dispose()
  })
  return drawn
}
