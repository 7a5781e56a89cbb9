import { useTheme } from '../../../shared/design/theme-mode.ts'
import { duration } from '../../../shared/format/time.ts'
import type { CallsBehind, ChartSelection } from '../calls-behind.ts'
import { Card } from '../card.tsx'
import { dashboardMessages } from '../i18n.ts'
import { Legend } from '../legend.tsx'
import type { SeriesData, SeriesStep } from '../series/series.ts'
import { HealthTable } from '../step-table.tsx'
import { Chart } from './chart.tsx'
import { ERRORS_INDEX, healthColours, healthLines } from './health.ts'

interface HealthCardProps {
  /** `undefined` while it is loading. */
  readonly data: SeriesData | undefined
  readonly steps: readonly SeriesStep[]
  readonly calls: (pointed: ChartSelection) => CallsBehind
  readonly onOpen: (pointed: ChartSelection) => void
}

const series = ['errors', 'whole', 'first'] as const

/** Shows latencies and failed calls. */
export function HealthCard({ data, steps, calls, onOpen }: HealthCardProps) {
  const t = dashboardMessages.use()
  const theme = useTheme()
  const stepSeconds = data?.stepSeconds ?? 0
  const look = { theme, value: duration, axis: duration, keyName: () => '' }
  const colours = healthColours(theme)
  const names = { whole: t('health.whole'), first: t('health.first'), errors: t('health.errors') }
  const open = (index: number, isFailed: boolean) => {
    const step = steps[index]
    if (step) onOpen({ step: { at: step.at, seconds: stepSeconds }, isFailed })
  }
  return (
    <Card
      isWide
      title={t('chart.health')}
      chart={
        <>
          <Chart
            label={t('chart.health')}
            heightPx={192}
            drawing={data && healthLines({ steps, stepSeconds, look, names })}
            picks={{
              onPick: ({ seriesIndex, dataIndex }) => open(dataIndex, seriesIndex === ERRORS_INDEX),
              onPickColumn: (index) => open(index, false),
            }}
          />
          <Legend entries={series.map((key) => ({ key, colour: colours[key], name: names[key] }))} />
        </>
      }
      table={<HealthTable steps={steps} stepSeconds={stepSeconds} calls={calls} />}
    />
  )
}
