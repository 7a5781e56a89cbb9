import { useQuery } from '@tanstack/react-query'
import { alertRoutes, type OpenAlert } from '@tollgate/contract/alert'
import { type Job, jobRoutes } from '@tollgate/contract/job'
import { type Operations, operationsRoutes } from '@tollgate/contract/operations'
import { Link } from '@tanstack/react-router'
import { api } from '../../shared/api/client.ts'
import { Moment } from '../../shared/format/moment.tsx'
import { useLanguage } from '../../shared/i18n/language.ts'
import { Page } from '../../shared/page/page.tsx'
import { Row, Rows, Section } from '../../shared/page/section.tsx'
import { QueryFailure } from '../../shared/page/error-state.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { Status } from '../../shared/status/status.tsx'
import { Charges } from '../../shared/charges/charges.tsx'
import { OperationFigures } from './figures.tsx'
import { operationMessages } from './i18n.ts'
import { Members } from './members.tsx'
import { Processes } from './processes.tsx'

/** Queries pause while the page is hidden, which is the default of the query library. */
const LOOK_EVERY_MS = 5_000

/** What the gateway does now, for operators. The sections appear together, so that none moves another. */
export default function OperationsPage() {
  const t = operationMessages.use()
  const source = useQuery({
    queryKey: ['operations'],
    queryFn: ({ signal }) => api.call(operationsRoutes.read, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  })
  const alerts = useQuery({
    queryKey: ['alert'],
    queryFn: ({ signal }) => api.call(alertRoutes.list, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  })
  const jobs = useQuery({
    queryKey: ['job', 'states'],
    queryFn: ({ signal }) => api.call(jobRoutes.list, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  })
  const isLoading = source.isPending || alerts.isPending || jobs.isPending
  return (
    <Page title={t('title')} purpose={t('purpose')}>
      {source.isError && source.data === undefined ? (
        <QueryFailure query={source} />
      ) : (
        <>
          <OperationFigures operations={isLoading ? undefined : source.data} />
          {!isLoading && (
            <>
              <Section title={t('alerts')}>
                <QueryFailure query={alerts} />
                <Rows>{alerts.data && <OpenAlerts alerts={alerts.data} />}</Rows>
              </Section>
              <Section title={t('allotments')}>
                <Rows>{source.data && <Allotments operations={source.data} />}</Rows>
              </Section>
              <Processes nodes={source} />
              <Section title={t('jobs')} actions={<Link to={paths.jobs}>{t('jobs.all')}</Link>}>
                <QueryFailure query={jobs} />
                <Rows>{jobs.data && <Jobs jobs={jobs.data} />}</Rows>
              </Section>
              <Charges />
              <Members />
            </>
          )}
        </>
      )}
    </Page>
  )
}

function OpenAlerts({ alerts }: { readonly alerts: readonly OpenAlert[] }) {
  const t = operationMessages.use()
  const language = useLanguage()
  if (alerts.length === 0) return <Row label={<Status tone="ok" label={t('alerts.none')} />} />
  return alerts.map(({ rule, subject, title, since_time: since, is_sent: isSent }) => (
    <Row
      key={`${rule}:${subject}`}
      label={<Status tone="act" label={title[language]} />}
      value={
        <>
          <Moment seconds={since} />
          {!isSent && <span className="muted"> · {t('alerts.unsent')}</span>}
        </>
      }
    />
  ))
}

/** Quota of an account can be out of reach only by a fault of the gateway, which it mends by itself. */
function Allotments({ operations }: { readonly operations: Operations }) {
  const t = operationMessages.use()
  const { allotments: count, allotments_mended: mended } = operations
  const isFine = mended === 0
  const label = isFine ? t('allotments.fine') : t('allotments.mended', { count: mended })
  return (
    <Row
      label={<Status tone={isFine ? 'ok' : 'look'} label={label} />}
      value={t('allotments.accounts', { count })}
    />
  )
}

function Jobs({ jobs }: { readonly jobs: readonly Job[] }) {
  const t = operationMessages.use()
  const language = useLanguage()
  const named = (some: readonly Job[]) => some.map(({ title }) => title[language]).join(', ')
  const running = jobs.filter(({ state }) => state !== 'idle')
  const failed = jobs.filter(({ outcome }) => outcome === 'failed')
  return (
    <>
      {running.length > 0 && (
        <Row label={<Status tone="look" label={t('jobs.running', { names: named(running) })} />} />
      )}
      {failed.length > 0 ? (
        <Row label={<Status tone="act" label={t('jobs.failed', { names: named(failed) })} />} />
      ) : (
        <Row label={<Status tone="ok" label={t('jobs.fine')} />} />
      )}
    </>
  )
}
