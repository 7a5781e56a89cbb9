import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Job, jobRoutes } from '@tollgate/contract/job'
import { useMemo } from 'react'
import { api } from '../../shared/api/client.ts'
import { Moment } from '../../shared/format/moment.tsx'
import { duration } from '../../shared/format/time.ts'
import { useLanguage } from '../../shared/i18n/language.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import { orNotify } from '../../shared/notify/notifying-failure.ts'
import { Page } from '../../shared/page/page.tsx'
import { Status } from '../../shared/status/status.tsx'
import type { Column, RowAction } from '../../shared/table/column.ts'
import { DataTable } from '../../shared/table/data-table.tsx'
import { momentColumn } from '../../shared/table/moment-column.tsx'
import { jobMessages } from './i18n.ts'
import { everyText, outcomeOf, resultText, stateOf } from './words.ts'

const JOBS_KEY = ['job']
const LOOK_EVERY_MS = { busy: 1500, idle: 15_000 }

/** The list of background jobs, for operators. */
export default function JobsPage() {
  const t = jobMessages.use()
  const columns = useJobColumns()
  const actions = useJobActions()
  const source = useQuery({
    queryKey: JOBS_KEY,
    queryFn: async ({ signal }) => {
      const rows = await api.call(jobRoutes.list, { signal })
      return { rows, total: rows.length }
    },
    refetchInterval: ({ state }) =>
      state.data?.rows.some((job) => job.state !== 'idle') ? LOOK_EVERY_MS.busy : LOOK_EVERY_MS.idle,
  })
  const hasReason = source.data?.rows.some(isExplained) === true
  return (
    <Page title={t('title')} purpose={t('purpose')}>
      <DataTable
        label={t('title')}
        source={source}
        columns={columns}
        rowKey={(job: Job) => job.name}
        actions={actions}
        empty={{ title: t('empty') }}
        {...(hasReason && { renderDetails: (job: Job) => <Details job={job} />, isOpenAtFirst: isExplained })}
      />
    </Page>
  )
}

function useJobColumns(): readonly Column<Job>[] {
  const t = jobMessages.use()
  const language = useLanguage()
  return useMemo(
    () => [
      { key: 'name', title: t('column.name'), phone: 'title', render: ({ title }) => title[language] },
      { key: 'every', title: t('column.every'), phone: 'detail', render: (job) => everyText(t, job) },
      {
        key: 'state',
        title: t('word.state'),
        phone: 'value',
        render: (job) => <Status {...stateOf(t, job)} />,
      },
      { key: 'last', title: t('column.last'), phone: 'detail', render: (job) => <LastRun job={job} /> },
      {
        key: 'took',
        title: t('column.took'),
        isNumber: true,
        render: (job) => (job.ended_time > 0 ? duration(job.duration_ms) : ''),
      },
      { key: 'result', title: t('word.result'), phone: 'detail', render: (job) => <Result job={job} /> },
      momentColumn({ key: 'next', title: t('column.next'), seconds: (job) => job.next_time }),
    ],
    [t, language],
  )
}

const isExplained = ({ reason }: Job): boolean => reason !== null

/** Why a run failed, which is longer than a cell. */
function Details({ job }: { readonly job: Job }) {
  const t = jobMessages.use()
  const language = useLanguage()
  return <p>{job.reason?.[language] ?? (resultText(t, job) || (outcomeOf(t, job)?.label ?? t('never')))}</p>
}

function LastRun({ job }: { readonly job: Job }) {
  const t = jobMessages.use()
  if (job.started_time === 0) return <span className="muted">{t('never')}</span>
  return <Moment seconds={job.started_time} />
}

function Result({ job }: { readonly job: Job }) {
  const t = jobMessages.use()
  const outcome = outcomeOf(t, job)
  if (outcome === undefined) return null
  const figures = resultText(t, job)
  const label = job.outcome === 'ok' && figures !== '' ? figures : outcome.label
  return <Status tone={outcome.tone} label={label} />
}

function useJobActions(): (job: Job) => readonly RowAction[] {
  const t = jobMessages.use()
  const language = useLanguage()
  const client = useQueryClient()
  async function run({ name, title }: Job) {
    await orNotify(async () => {
      await api.call(jobRoutes.run, { params: { name } })
      notifyDone(t('started', { name: title[language] }))
    })
    await client.invalidateQueries({ queryKey: JOBS_KEY })
  }
  return (job) => [
    {
      key: 'run',
      label: t('run'),
      isInline: true,
      isDisabled: job.state !== 'idle',
      onSelect: () => void run(job),
    },
  ]
}
