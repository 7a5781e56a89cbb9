import type { UsageKeyName } from '@tollgate/contract/usage'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTheme } from '../../../shared/design/theme-mode.ts'
import { groupedInteger } from '../../../shared/format/money.ts'
import type { Money } from '../../../shared/format/use-money.ts'
import { EmptyState } from '../../../shared/page/empty-state.tsx'
import { paths } from '../../../shared/routing/paths.ts'
import type { TableSource } from '../../../shared/table/column.ts'
import { DataTable } from '../../../shared/table/data-table.tsx'
import type { CallsBehind, ChartSelection } from '../calls-behind.ts'
import { CallsLink } from '../calls-link.tsx'
import { Card } from '../card.tsx'
import { dashboardMessages } from '../i18n.ts'
import { keyColumns } from '../key-columns.tsx'
import { keyName } from '../key-name.ts'
import { KeyTable } from '../key-table.tsx'
import { Legend } from '../legend.tsx'
import type { Measure } from '../search.ts'
import {
  type KeySums,
  keySums,
  measured,
  nameOf,
  type SeriesData,
  stepsOf,
  totalOf,
} from '../series/series.ts'
import { ShareList } from '../share-list.tsx'
import { sharesOf } from '../shares.ts'
import { StepTable } from '../step-table.tsx'
import { amountWriter } from './amount-writer.ts'
import { Chart } from './chart.tsx'
import styles from './charts.module.css'
import { HealthCard } from './health-card.tsx'
import { colourOf } from './look.ts'
import { Rank } from './rank.tsx'
import { ringOfShares } from './ring.ts'
import { stackedBars } from './stacked.ts'

interface ChartsProps {
  readonly series: Pick<TableSource<KeySums>, 'error' | 'isFetching' | 'refetch'> & {
    readonly data: (SeriesData & { readonly minutes: number }) | undefined
  }
  readonly by: UsageKeyName
  readonly isOfAll: boolean
  readonly measure: Measure
  readonly money: Money
  readonly calls: (pointed: ChartSelection) => CallsBehind
}

/** The charts of one series, and a table with all values of its keys. */
export function Charts({ series, by, isOfAll, measure, money, calls }: ChartsProps) {
  const t = dashboardMessages.use()
  const theme = useTheme()
  const navigate = useNavigate()
  const { data } = series
  const steps = useMemo(() => (data ? stepsOf(data) : []), [data])
  const keys = useMemo(() => (data ? keySums(data.points) : []), [data])
  const shares = useMemo(() => sharesOf(keys, measure), [keys, measure])
  if (data && keys.length === 0) {
    return (
      <div className="surface-card">
        <EmptyState title={t('empty')} text={t('empty.text')} />
      </div>
    )
  }
  const stepSeconds = data?.stepSeconds ?? 0
  const ranked = shares.filter(({ key }) => !key.isRest)
  const total = totalOf(keys)
  const named = (key: KeySums) => keyName(key, by, t)
  const linked = (key: KeySums) => <CallsLink calls={calls({ key })}>{named(key)}</CallsLink>
  const linkedQuietly = (key: KeySums) => (
    <CallsLink isQuiet calls={calls({ key })}>
      {named(key)}
    </CallsLink>
  )
  const write = amountWriter(measure, money)
  const overTime = write(steps.flatMap((step) => [step, ...step.byKey.values()]))
  const ofKeys = write([...keys, total])
  const exact = measure === 'spent' ? money.exact : groupedInteger
  const look = { theme, keyName: named, ...overTime }
  const keysLook = { theme, keyName: named, ...ofKeys }
  const label = (chart: string) =>
    t('chart.label', { chart, measure: t(`measure.${measure}`), by: t(`by.${by}`) })
  const open = (pointed: ChartSelection) => {
    const search = calls(pointed)
    if (search) void navigate({ to: paths.usageLog, search })
  }
  const openStep = (index: number, key?: KeySums) => {
    const step = steps[index]
    if (step) open({ key, step: { at: step.at, seconds: stepSeconds } })
  }
  return (
    <>
      <div className={styles.charts}>
        <Card
          isWide
          title={t('chart.time')}
          chart={
            <>
              <Chart
                label={label(t('chart.time'))}
                heightPx={300}
                drawing={
                  data &&
                  stackedBars({ steps, keys, measure, stepSeconds, look, totalName: t('column.total') })
                }
                picks={{
                  onPick: ({ seriesIndex, dataIndex }) => openStep(dataIndex, keys[seriesIndex]),
                  onPickColumn: (index) => openStep(index),
                }}
              />
              <Legend
                entries={keys.map((key) => ({
                  key: nameOf(key),
                  colour: colourOf(theme, key, keys),
                  name: linkedQuietly(key),
                }))}
              />
            </>
          }
          table={
            <StepTable
              steps={steps}
              keys={keys}
              measure={measure}
              stepSeconds={stepSeconds}
              value={overTime.value}
              keyName={named}
              calls={calls}
            />
          }
        />
        <Card
          title={t('chart.share')}
          chart={
            <div className={styles.share}>
              <Chart
                label={label(t('chart.share'))}
                heightPx={220}
                drawing={data && ringOfShares({ shares, keys, look: keysLook })}
                picks={{
                  onPick: ({ dataIndex }) => open({ key: shares[dataIndex]?.key }),
                  onPickColumn: undefined,
                }}
              />
              <ShareList
                label={t(`measure.${measure}`)}
                shares={data && shares}
                colourOf={({ key }) => colourOf(theme, key, keys)}
                nameOfShare={({ key }) => linked(key)}
                value={ofKeys.value}
                total={{
                  text: ofKeys.value(measured(total, measure)),
                  exact: exact(measured(total, measure)),
                }}
              />
            </div>
          }
        />
        <Card
          title={t('chart.rank')}
          chart={
            <Rank
              label={label(t('chart.rank'))}
              shares={data && ranked}
              colourOf={({ key }) => colourOf(theme, key, keys)}
              textOf={({ key }) => named(key)}
              nameOfShare={({ key }) => linkedQuietly(key)}
              value={ofKeys.value}
            />
          }
          table={<KeyTable shares={shares} measure={measure} value={ofKeys.value} name={linked} />}
        />
        <HealthCard data={data} steps={steps} calls={calls} onOpen={open} />
      </div>
      <DataTable
        label={t(`by.${by}`)}
        source={{ ...series, data: data && { rows: keys, total: keys.length } }}
        columns={keyColumns({
          title: t(`by.${by}`),
          name: linked,
          minutes: data?.minutes ?? 1,
          hasCosts: isOfAll,
          t,
        })}
        rowKey={nameOf}
        empty={{ title: t('empty'), text: t('empty.text') }}
      />
    </>
  )
}
