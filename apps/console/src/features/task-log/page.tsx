import type { TaskRow } from '@tollgate/contract/task'
import { useState } from 'react'
import { Moment } from '../../shared/format/moment.tsx'
import { useMoney } from '../../shared/format/use-money.ts'
import { Page } from '../../shared/page/page.tsx'
import { PageHeader } from '../../shared/page/page-header.tsx'
import { useIsAdmin } from '../../shared/session/session.ts'
import type { Column } from '../../shared/table/column.ts'
import { DataTable } from '../../shared/table/data-table.tsx'
import { useTasks } from './api.ts'
import { ActionCell, SpentCell, StateCell, TextCell, VideoCell } from './cells.tsx'
import { TaskFilterRow } from './filters.tsx'
import { taskLogMessages } from './i18n.ts'
import { activeFilters, taskRange } from './search.ts'
import { type ShownText, TextDialog } from './text-dialog.tsx'
import { useTaskSearch } from './use-task-search.ts'

const MS = 1000

/** Songs, videos and other tasks, how far they are and what came of them. */
export default function TaskLogPage() {
  const t = taskLogMessages.use()
  const isAdmin = useIsAdmin()
  const { filters, key, standardRange, range, paging, find } = useTaskSearch(taskRange)
  const list = useTasks({ isAdmin, filters, range, page: paging.page, pageSize: paging.pageSize })
  const [shown, setShown] = useState<ShownText>()
  const columns = useTaskColumns({ isAdmin, onShow: setShown })
  return (
    <Page>
      <PageHeader title={t('tasks.title')} purpose={t('tasks.purpose')} />
      <TaskFilterRow
        key={key}
        initialValue={filters}
        standardRange={standardRange}
        isAdmin={isAdmin}
        onSearch={find}
      />
      <DataTable
        label={t('tasks.title')}
        source={list}
        columns={columns}
        rowKey={(row) => row.id}
        paging={paging}
        empty={
          activeFilters(filters) > 0
            ? { title: t('empty.filtered'), text: t('empty.filteredText') }
            : { title: t('tasks.empty'), text: t('tasks.emptyText') }
        }
      />
      {shown && <TextDialog shown={shown} onClose={() => setShown(undefined)} />}
    </Page>
  )
}

interface TaskColumnsInput {
  readonly isAdmin: boolean
  readonly onShow: (shown: ShownText) => void
}

/** The channel is for admins. */
function useTaskColumns({ isAdmin, onShow }: TaskColumnsInput): readonly Column<TaskRow>[] {
  const t = taskLogMessages.use()
  const { exact } = useMoney()
  const columns: readonly (Column<TaskRow> & { readonly isForAdmins?: boolean })[] = [
    {
      key: 'submitted',
      title: t('column.submitted'),
      phone: 'detail',
      render: (row) => <Moment seconds={row.submit_time} />,
    },
    {
      key: 'finished',
      title: t('column.finished'),
      phone: 'more',
      render: (row) => <Moment seconds={row.finish_time} />,
    },
    {
      key: 'spent',
      title: t('column.spent'),
      phone: 'detail',
      render: ({ submit_time: submit, finish_time: finish }) => (
        <SpentCell submitMs={submit * MS} finishMs={finish * MS} />
      ),
    },
    {
      key: 'channel',
      title: t('column.channel'),
      isForAdmins: true,
      phone: 'more',
      render: ({ channel_id: id }) => id !== 0 && <span className="number">#{id}</span>,
    },
    { key: 'platform', title: t('column.platform'), phone: 'more', render: ({ platform }) => platform },
    {
      key: 'action',
      title: t('column.action'),
      phone: 'title',
      render: ({ action }) => <ActionCell action={action} />,
    },
    {
      key: 'id',
      title: t('column.id'),
      phone: 'more',
      render: (row) => (
        <TextCell
          isId
          text={row.task_id}
          onShow={() =>
            onShow({ title: t('record.title'), text: JSON.stringify(row, undefined, 2), isCode: true })
          }
        />
      ),
    },
    {
      key: 'status',
      title: t('column.status'),
      phone: 'value',
      render: ({ status, progress }) => <StateCell status={status} progress={progress} />,
    },
    {
      key: 'result',
      title: t('column.video'),
      phone: 'detail',
      render: ({ result_url: address }) => <VideoCell address={address} />,
    },
    {
      key: 'cost',
      title: t('column.cost'),
      isNumber: true,
      phone: 'more',
      render: ({ quota }) => quota !== 0 && exact(quota),
    },
    {
      key: 'reason',
      title: t('column.reason'),
      isFluid: true,
      phone: 'more',
      render: ({ fail_reason: text }) => (
        <TextCell text={text} onShow={() => onShow({ title: t('column.reason'), text })} />
      ),
    },
  ]
  return columns.filter((column) => isAdmin || column.isForAdmins !== true)
}
