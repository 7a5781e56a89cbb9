import type { UsageKeyName } from '@tollgate/contract/usage'
import { useMemo } from 'react'
import { useTheme } from '../../../shared/design/theme-mode.ts'
import { duration } from '../../../shared/format/time.ts'
import type { Money } from '../../../shared/format/use-money.ts'
import { EmptyState } from '../../../shared/page/empty-state.tsx'
import type { TableSource } from '../../../shared/table/column.ts'
import { DataTable } from '../../../shared/table/data-table.tsx'
import { Card } from '../card.tsx'
import { dashboardMessages } from '../i18n.ts'
import { keyColumns } from '../key-columns.tsx'
import { keyName } from '../key-name.ts'
import type { Measure } from '../search.ts'
import { type KeySums, type SeriesData, keySums, nameOf, stepsOf } from '../series/series.ts'
import { HealthTable, KeyTable, StepTable } from '../step-table.tsx'
import { Chart } from './chart.tsx'
import styles from './charts.module.css'
import { healthOption, rankOption, shareOption, stackedOption } from './options.ts'

interface ChartsProps {
  readonly series: Pick<TableSource<KeySums>, 'error' | 'isFetching' | 'refetch'> & {
    readonly data: SeriesData | undefined
  }
  readonly by: UsageKeyName
  readonly isOfAll: boolean
  readonly measure: Measure
  readonly money: Money
  readonly value: (amount: number) => string
}

/** The charts of one series, and the table of everything that is known of its keys. */
export function Charts({ series, by, isOfAll, measure, money, value }: ChartsProps) {
  const t = dashboardMessages.use()
  const theme = useTheme()
  const { data } = series
  const steps = useMemo(() => (data ? stepsOf(data) : []), [data])
  const keys = useMemo(() => (data ? keySums(data.points) : []), [data])
  const stepSeconds = data?.stepSeconds ?? 0
  const named = (key: KeySums) => keyName(key, by, t)
  const look = { theme, value, keyName: named }
  const times = { theme, value: duration, keyName: named }
  const healthNames = { whole: t('health.whole'), first: t('health.first'), errors: t('health.errors') }
  const label = (chart: string) =>
    t('chart.label', { chart, measure: t(`measure.${measure}`), by: t(`by.${by}`) })
  if (data && keys.length === 0) {
    return (
      <div className={styles.empty}>
        <EmptyState title={t('empty')} text={t('empty.text')} />
      </div>
    )
  }
  return (
    <>
      <div className={styles.charts}>
        <Card
          isWide
          title={t('chart.time')}
          chart={
            <Chart
              label={label(t('chart.time'))}
              option={data && stackedOption({ steps, keys, measure, stepSeconds, look })}
            />
          }
          table={
            <StepTable
              steps={steps}
              keys={keys}
              measure={measure}
              stepSeconds={stepSeconds}
              value={value}
              keyName={named}
            />
          }
        />
        <Card
          title={t('chart.share')}
          chart={
            <Chart
              isLow
              label={label(t('chart.share'))}
              option={data && shareOption({ keys, measure, look })}
            />
          }
          table={<KeyTable keys={keys} measure={measure} value={value} keyName={named} />}
        />
        <Card
          title={t('chart.rank')}
          chart={
            <Chart
              isLow
              label={label(t('chart.rank'))}
              option={data && rankOption({ keys, measure, look })}
            />
          }
          table={<KeyTable keys={keys} measure={measure} value={value} keyName={named} />}
        />
        <Card
          isWide
          title={t('chart.health')}
          chart={
            <Chart
              isLow
              label={t('chart.health')}
              option={data && healthOption({ steps, stepSeconds, look: times, names: healthNames })}
            />
          }
          table={<HealthTable steps={steps} stepSeconds={stepSeconds} />}
        />
      </div>
      <DataTable
        label={t(`by.${by}`)}
        source={{ ...series, data: data && { rows: keys, total: keys.length } }}
        columns={keyColumns({
          title: t(`by.${by}`),
          keyName: named,
          minutes: data ? (data.end - data.start) / 60 : 1,
          hasCosts: isOfAll,
          money,
          t,
        })}
        rowKey={nameOf}
        empty={{ title: t('empty'), text: t('empty.text') }}
      />
    </>
  )
}
