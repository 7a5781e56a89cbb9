import type { ReactNode } from 'react'
import { Page } from '../../shared/page/page.tsx'
import { useIsAdmin } from '../../shared/session/session.ts'
import { ColumnSettingsButton } from '../../shared/table/column-settings-button.tsx'
import type { TableSource } from '../../shared/table/column.ts'
import { DataTable } from '../../shared/table/data-table.tsx'
import type { ColumnSettings } from '../../shared/table/use-columns.ts'
import { TaskFilterRow } from './filters.tsx'
import { taskLogMessages } from './i18n.ts'
import { activeFilters } from './search.ts'
import type { useTaskSearch } from './use-task-search.ts'

interface TaskListProps<Row> {
  /** The part of the keys of its texts. */
  readonly name: 'tasks' | 'drawings'
  readonly search: ReturnType<typeof useTaskSearch>
  readonly source: TableSource<Row>
  readonly columns: ColumnSettings<Row>
  /** Shown above the filters. */
  readonly banner?: ReactNode
  /** Open dialogs. */
  readonly children: ReactNode
}

/** The page of a log: its filters and its table. */
export function TaskList<Row extends { readonly id: number }>(props: TaskListProps<Row>) {
  const { name, search, source, columns, banner, children } = props
  const t = taskLogMessages.use()
  const isAdmin = useIsAdmin()
  return (
    <Page
      title={t(`${name}.title`)}
      purpose={t(`${name}.purpose`)}
      actions={<ColumnSettingsButton settings={columns} />}
    >
      {banner}
      <TaskFilterRow
        key={search.key}
        initialValue={search.filters}
        defaultRange={search.defaultRange}
        isAdmin={isAdmin}
        onSearch={search.find}
      />
      <DataTable
        label={t(`${name}.title`)}
        source={source}
        columns={columns.visible}
        rowKey={(row) => row.id}
        paging={search.paging}
        empty={
          activeFilters(search.filters) > 0
            ? { title: t('empty.filtered'), text: t('empty.filteredText') }
            : { title: t(`${name}.empty`), text: t(`${name}.emptyText`) }
        }
      />
      {children}
    </Page>
  )
}
