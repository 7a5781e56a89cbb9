import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useCallback, useMemo, useState } from 'react'
import { Charges } from '../../shared/charges/charges.tsx'
import { useMoney } from '../../shared/format/use-money.ts'
import { ErrorState } from '../../shared/page/error-state.tsx'
import { Page } from '../../shared/page/page.tsx'
import { useSearchState } from '../../shared/routing/search.ts'
import { readSelfAgain } from '../../shared/session/self.ts'
import { useIsAdmin, useSessionUser } from '../../shared/session/session.ts'
import { useStatus } from '../../shared/session/status.ts'
import { ownKey, useSeries } from './api.ts'
import { callsBehind, type ChartSelection } from './calls-behind.ts'
import { Charts } from './charts/charts.tsx'
import { Controls } from './controls.tsx'
import { DashboardFigures } from './figures.tsx'
import { dashboardMessages } from './i18n.ts'
import { dashboardSearchSchema } from './search.ts'
import { totalOf } from './series/series.ts'
import { spanOf } from './span.ts'
import { Waived } from './waived.tsx'

/** Spend, traffic and health of the account, or of the whole site for operators. */
export default function DashboardPage() {
  const t = dashboardMessages.use()
  const isAdmin = useIsAdmin()
  const ownName = useSessionUser()?.username
  const [search, setSearch] = useSearchState(dashboardSearchSchema)
  const { data_export_default_time: siteStep } = useStatus()
  const [nowSeconds, setNowSeconds] = useState(currentSeconds)
  const client = useQueryClient()
  const isOfAll = isAdmin && search.of === 'all'
  const by = isOfAll ? search.by : ownKey(search.by)
  const span = useMemo(() => spanOf(search, siteStep, nowSeconds), [search, siteStep, nowSeconds])
  const series = useSeries({ isOfAll, by, span })
  const money = useMoney()
  // The log shows all users' calls to operators, and their own calls to everybody else.
  const username = isAdmin && !isOfAll ? ownName : undefined
  const calls = useCallback(
    (pointed: ChartSelection) => callsBehind({ by, range: span, username }, pointed),
    [by, span, username],
  )
  const total = useMemo(() => series.data && totalOf(series.data.points), [series.data])
  const refresh = () => {
    setNowSeconds(currentSeconds())
    void client.invalidateQueries({ queryKey: ['usage'] })
    void readSelfAgain(client)
  }
  return (
    <Page
      title={t('title')}
      purpose={t('purpose')}
      actions={
        <Button loading={series.isFetching} onClick={refresh}>
          {t('refresh')}
        </Button>
      }
    >
      <DashboardFigures
        isOfAll={isOfAll}
        span={span}
        total={total}
        isFailed={series.error !== null && series.data === undefined}
      />
      <Controls search={search} span={span} isAdmin={isAdmin} isOfAll={isOfAll} onChange={setSearch} />
      {series.error && !series.data ? (
        <ErrorState error={series.error} onRetry={() => void series.refetch()} />
      ) : (
        <Charts
          series={series}
          by={by}
          isOfAll={isOfAll}
          measure={search.measure}
          money={money}
          calls={calls}
        />
      )}
      {isOfAll && (
        <>
          <Waived span={span} />
          <Charges />
        </>
      )}
    </Page>
  )
}

function currentSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
