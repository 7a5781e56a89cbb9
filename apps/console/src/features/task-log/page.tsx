import { useState } from 'react'
import { Page } from '../../shared/page/page.tsx'
import { PageHeader } from '../../shared/page/page-header.tsx'
import { useIsAdmin } from '../../shared/session/session.ts'
import { ColumnSettingsButton } from '../../shared/table/column-settings-button.tsx'
import { DataTable } from '../../shared/table/data-table.tsx'
import { useColumns } from '../../shared/table/use-columns.ts'
import { useTasks } from './api.ts'
import { ClipsDialog } from './clips-dialog.tsx'
import { type ShownClips, useTaskColumns } from './columns.tsx'
import { TaskFilterRow } from './filters.tsx'
import { taskLogMessages } from './i18n.ts'
import { activeFilters, taskRange } from './search.ts'
import { type ShownText, TextDialog } from './text-dialog.tsx'
import { useTaskSearch } from './use-task-search.ts'

const COLUMNS_KEY = 'tasks-table-columns'

/** The log of songs, videos and other tasks, with their progress and results. */
export default function TaskLogPage() {
  const t = taskLogMessages.use()
  const isAdmin = useIsAdmin()
  const { filters, key, defaultRange, range, paging, find } = useTaskSearch(taskRange)
  const list = useTasks({ isAdmin, filters, range, page: paging.page, pageSize: paging.pageSize })
  const [shown, setShown] = useState<ShownText>()
  const [playing, setPlaying] = useState<ShownClips>()
  const columns = useColumns(COLUMNS_KEY, useTaskColumns({ isAdmin, onShow: setShown, onPlay: setPlaying }))
  return (
    <Page>
      <PageHeader
        title={t('tasks.title')}
        purpose={t('tasks.purpose')}
        actions={<ColumnSettingsButton settings={columns} />}
      />
      <TaskFilterRow
        key={key}
        initialValue={filters}
        defaultRange={defaultRange}
        isAdmin={isAdmin}
        onSearch={find}
      />
      <DataTable
        label={t('tasks.title')}
        source={list}
        columns={columns.visible}
        rowKey={(row) => row.id}
        paging={paging}
        empty={
          activeFilters(filters) > 0
            ? { title: t('empty.filtered'), text: t('empty.filteredText') }
            : { title: t('tasks.empty'), text: t('tasks.emptyText') }
        }
      />
      {shown && <TextDialog shown={shown} onClose={() => setShown(undefined)} />}
      {playing && <ClipsDialog {...playing} onClose={() => setPlaying(undefined)} />}
    </Page>
  )
}
