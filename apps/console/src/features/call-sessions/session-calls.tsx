import type { LogRow } from '@tollgate/contract/log'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { Button } from 'antd'
import { groupedInteger } from '../../shared/format/money.ts'
import { duration } from '../../shared/format/time.ts'
import { paths } from '../../shared/routing/paths.ts'
import { Status } from '../../shared/status/status.tsx'
import { amountColumn } from '../../shared/table/amount-column.tsx'
import type { Column } from '../../shared/table/column.ts'
import { momentColumn } from '../../shared/table/moment-column.tsx'
import { PlainTable } from '../../shared/table/plain-table.tsx'
import { affinityOf } from './affinity-of.ts'
import { useSessionCalls } from './api.ts'
import { callSessionMessages } from './i18n.ts'
import { cachedShare } from './share.ts'

interface SessionCallsProps {
  readonly session: string
  readonly isAdmin: boolean
}

/** The calls of a session, oldest first. */
export function SessionCalls({ session, isAdmin }: SessionCallsProps) {
  const t = callSessionMessages.use()
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage } = useSessionCalls(session, isAdmin)
  const rows = data?.pages.flatMap(({ calls }) => calls)
  return (
    <PlainTable
      label={t('column.session')}
      source={{ data: rows && { rows, total: rows.length }, error, isFetching, refetch }}
      columns={useCallColumns(isAdmin)}
      rowKey={(row: LogRow) => row.id}
      placeholderRows={3}
      empty={{ title: t('empty') }}
    >
      {hasNextPage && (
        <Button loading={isFetching} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </PlainTable>
  )
}

function useCallColumns(isAdmin: boolean): readonly Column<LogRow>[] {
  const t = callSessionMessages.use()
  const columns: readonly (Column<LogRow> & { readonly isForAdmins?: boolean })[] = [
    momentColumn({ key: 'time', title: t('word.time'), phone: 'detail', seconds: (row) => row.created_at }),
    {
      key: 'model',
      title: t('word.model'),
      phone: 'title',
      render: (row) => (
        <a className="code" href={`${paths.usageLog}?${new URLSearchParams({ request_id: row.request_id })}`}>
          {row.model_name}
        </a>
      ),
    },
    {
      key: 'channel',
      title: t('word.channel'),
      isForAdmins: true,
      phone: 'detail',
      render: ({ channel, channel_name: name }) => channel > 0 && `#${channel} ${name}`,
    },
    {
      key: 'duration',
      title: t('column.duration'),
      isNumber: true,
      render: (row) => duration(row.duration_ms),
    },
    {
      key: 'input',
      title: t('word.input'),
      isNumber: true,
      render: (row) => !isError(row) && groupedInteger(row.prompt_tokens),
    },
    { key: 'cached', title: t('column.cached'), isNumber: true, phone: 'detail', render: cachedShare },
    {
      key: 'output',
      title: t('word.output'),
      isNumber: true,
      render: (row) => !isError(row) && groupedInteger(row.completion_tokens),
    },
    { key: 'affinity', title: t('column.affinity'), phone: 'detail', render: (row) => <Result row={row} /> },
    amountColumn({
      key: 'cost',
      title: t('word.cost'),
      phone: 'value',
      amount: (row) => (isError(row) ? undefined : row.quota),
    }),
  ]
  return columns.filter((column) => isAdmin || column.isForAdmins !== true)
}

function isError({ type }: LogRow): boolean {
  return type === LOG_TYPE.error
}

function Result({ row }: { readonly row: LogRow }) {
  const t = callSessionMessages.use()
  if (isError(row)) return <Status tone="act" label={t('failed')} />
  const affinity = affinityOf(row)
  if (affinity === undefined) return null
  return <Status tone={affinity === 'bound' ? 'ok' : 'idle'} label={t(`affinity.${affinity}`)} />
}
