import { useQuery } from '@tanstack/react-query'
import { alertRoutes } from '@tollgate/contract/alert'
import { jobRoutes } from '@tollgate/contract/job'
import { operationsRoutes } from '@tollgate/contract/operations'
import { Link } from '@tanstack/react-router'
import { api } from '../../shared/api/client.ts'
import { Moment } from '../../shared/format/moment.tsx'
import { useLanguage } from '../../shared/i18n/language.ts'
import { Page } from '../../shared/page/page.tsx'
import { Row, Section } from '../../shared/page/section.tsx'
import { QueryFailure } from '../../shared/page/error-state.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { Status } from '../../shared/status/status.tsx'
import { OperationFigures } from './figures.tsx'
import { operationMessages } from './i18n.ts'
import { Processes } from './processes.tsx'

/** Queries pause while the page is hidden, which is the default of the query library. */
const LOOK_EVERY_MS = 5_000

/** What the gateway does now, for operators. */
export default function OperationsPage() {
  const t = operationMessages.use()
  const source = useQuery({
    queryKey: ['operations'],
    queryFn: ({ signal }) => api.call(operationsRoutes.read, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  })
  return (
    <Page title={t('title')} purpose={t('purpose')}>
      {source.isError && source.data === undefined ? (
        <QueryFailure query={source} />
      ) : (
        <>
          <OperationFigures operations={source.data} />
          <OpenAlerts />
          <Processes nodes={source} />
          <Jobs />
        </>
      )}
    </Page>
  )
}

function OpenAlerts() {
  const t = operationMessages.use()
  const language = useLanguage()
  const { data = [] } = useQuery({
    queryKey: ['alert'],
    queryFn: ({ signal }) => api.call(alertRoutes.list, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  })
  return (
    <Section title={t('alerts')}>
      {data.length === 0 && <Row label={<Status tone="ok" label={t('alerts.none')} />} />}
      {data.map(({ rule, subject, title, since_time: since, is_sent: isSent }) => (
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
      ))}
    </Section>
  )
}

function Jobs() {
  const t = operationMessages.use()
  const language = useLanguage()
  const { data = [] } = useQuery({
    queryKey: ['job', 'states'],
    queryFn: ({ signal }) => api.call(jobRoutes.list, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  })
  const named = (jobs: typeof data) => jobs.map(({ title }) => title[language]).join(', ')
  const running = data.filter(({ state }) => state !== 'idle')
  const failed = data.filter(({ outcome }) => outcome === 'failed')
  return (
    <Section title={t('jobs')} actions={<Link to={paths.jobs}>{t('jobs.all')}</Link>}>
      {running.length > 0 && (
        <Row label={<Status tone="look" label={t('jobs.running', { names: named(running) })} />} />
      )}
      {failed.length > 0 ? (
        <Row label={<Status tone="act" label={t('jobs.failed', { names: named(failed) })} />} />
      ) : (
        <Row label={<Status tone="ok" label={t('jobs.fine')} />} />
      )}
    </Section>
  )
}
