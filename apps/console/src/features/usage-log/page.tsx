import { lazy, Suspense, useState } from 'react'
import { useMoney } from '../../shared/format/use-money.ts'
import { Page } from '../../shared/page/page.tsx'
import { useSearchState } from '../../shared/routing/search.ts'
import { useIsAdmin } from '../../shared/session/session.ts'
import { ColumnSettingsButton } from '../../shared/table/column-settings-button.tsx'
import { DataTable } from '../../shared/table/data-table.tsx'
import { usePaging } from '../../shared/table/paging.ts'
import { useColumns } from '../../shared/table/use-columns.ts'
import { useLogPage, useLogStat } from './api.ts'
import { ExportButton } from './export/export-button.tsx'
import { LogFilterRow } from './filters/log-filter-row.tsx'
import {
  activeFilters,
  type LogFilters,
  logQuery,
  type LogSearch,
  logSearchSchema,
} from './filters/search.ts'
import { useDefaultRange } from './filters/use-default-range.ts'
import { usageLogMessages } from './i18n/index.ts'
import { useTextReader } from './row-text/use-text-reader.ts'
import { Summary } from './summary/summary.tsx'
import { useCallRows } from './table/call-row.ts'
import { logColumns } from './table/columns.tsx'
import type { LogUser } from './user/user-dialog.tsx'

const RowDetails = lazy(async () => ({ default: (await import('./details/row-details.tsx')).RowDetails }))
const UserDialog = lazy(async () => ({ default: (await import('./user/user-dialog.tsx')).UserDialog }))

const COLUMNS_KEY = 'logs-table-columns'

/** The usage log: every call, its usage, and the computation of its price. */
export default function UsageLogPage() {
  const t = usageLogMessages.use()
  const isAdmin = useIsAdmin()
  const [search, setSearch] = useSearchState(logSearchSchema)
  const filtersKey = keyOf(search)
  const [defaultRange, renewRange] = useDefaultRange(filtersKey)
  const [user, setUser] = useState<LogUser>()
  const paging = usePaging(search.p, setSearch)
  const query = logQuery(search, defaultRange, isAdmin)
  const list = useLogPage({ isAdmin, query, page: paging.page, pageSize: paging.pageSize })
  const stat = useLogStat({ isAdmin, query })
  const money = useMoney()
  const reader = useTextReader()
  const columns = useColumns(COLUMNS_KEY, logColumns({ isAdmin, money, t, reader, onUser: setUser }))

  const find = (filters: Partial<LogFilters>) => {
    if (keyOf({ ...search, ...filters }) !== filtersKey) return setSearch({ ...filters, p: 1 })
    const again = logQuery(search, renewRange(), isAdmin)
    if (JSON.stringify(again) === JSON.stringify(query)) void Promise.all([list.refetch(), stat.refetch()])
  }
  return (
    <Page
      title={t('title')}
      purpose={t('purpose')}
      actions={
        <>
          <ColumnSettingsButton settings={columns} />
          <ExportButton isAdmin={isAdmin} query={query} isDisabled={!list.data?.total} />
        </>
      }
    >
      <Summary stat={stat.data} isFailed={stat.isError} />
      <LogFilterRow
        key={filtersKey}
        initialValue={search}
        defaultRange={defaultRange}
        isAdmin={isAdmin}
        onSearch={find}
      />
      <DataTable
        label={t('title')}
        source={useCallRows(list)}
        columns={columns.visible}
        rowKey={(row) => row.id}
        renderDetails={(row) => (
          <Suspense fallback={null}>
            <RowDetails row={row} />
          </Suspense>
        )}
        isOpenAtFirst={(row) => row.request_id !== '' && row.request_id === search.request_id}
        paging={paging}
        empty={
          activeFilters(search) > 0
            ? { title: t('empty.filtered'), text: t('empty.filteredText') }
            : { title: t('empty'), text: t('empty.text') }
        }
      />
      {user && (
        <Suspense fallback={null}>
          <UserDialog
            user={user}
            range={{ start_timestamp: query.start_timestamp, end_timestamp: query.end_timestamp }}
            onShowOnly={() => {
              setUser(undefined)
              find({ username: user.username })
            }}
            onClose={() => setUser(undefined)}
          />
        </Suspense>
      )}
    </Page>
  )
}

/** Identifies a set of filters, independently of the page shown. */
function keyOf({ p: _page, ...filters }: LogSearch): string {
  return JSON.stringify(filters)
}
