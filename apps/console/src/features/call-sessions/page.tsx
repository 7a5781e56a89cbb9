import type { CallSession } from '@tollgate/contract/call-session'
import { CLIENTS } from '@tollgate/kit/codes'
import { Button } from 'antd'
import { FilterRow } from '../../shared/page/filter-row.tsx'
import { FilterSelect } from '../../shared/page/filter-select.tsx'
import { Page } from '../../shared/page/page.tsx'
import { useSearchState } from '../../shared/routing/search.ts'
import { useIsAdmin } from '../../shared/session/session.ts'
import { DataTable } from '../../shared/table/data-table.tsx'
import { usePaging } from '../../shared/table/paging.ts'
import { useSessionPage } from './api.ts'
import { useSessionColumns } from './columns.tsx'
import { callSessionMessages } from './i18n.ts'
import { type CallSessionSearch, callSessionSearchSchema, DAYS } from './search.ts'
import { SessionCalls } from './session-calls.tsx'

/** The sessions of callers: own ones, or those of all users for admins. */
export default function CallSessionsPage() {
  const t = callSessionMessages.use()
  const isAdmin = useIsAdmin()
  const [search, setSearch] = useSearchState(callSessionSearchSchema)
  const paging = usePaging(search.p, setSearch)
  const source = useSessionPage({ search, pageSize: paging.pageSize, isAdmin })
  const isFiltered = search.client !== '' || search.username !== '' || search.session !== ''
  return (
    <Page title={t('title')} purpose={t('purpose')}>
      <Filters search={search} onChange={(change) => setSearch({ ...change, p: 1 })} />
      <DataTable
        label={t('title')}
        source={source}
        columns={useSessionColumns(isAdmin)}
        rowKey={(row: CallSession) => row.session}
        renderDetails={({ session }) => <SessionCalls session={session} isAdmin={isAdmin} />}
        isOpenAtFirst={({ session }) => session === search.session}
        paging={paging}
        empty={
          isFiltered
            ? { title: t('empty.filtered'), text: t('word.otherFilter') }
            : { title: t('empty'), text: t('empty.text') }
        }
      />
    </Page>
  )
}

interface FiltersProps {
  readonly search: CallSessionSearch
  readonly onChange: (change: Partial<CallSessionSearch>) => void
}

function Filters({ search, onChange }: FiltersProps) {
  const t = callSessionMessages.use()
  if (search.session !== '')
    return (
      <div>
        <Button onClick={() => onChange({ session: '' })}>{t('filter.all')}</Button>
      </div>
    )
  return (
    <FilterRow activeCount={Number(search.client !== '')}>
      <FilterSelect<CallSessionSearch['days']>
        label={t('filter.days')}
        value={search.days}
        none={7}
        placeholder={t('filter.lastDays', { count: 7 })}
        options={DAYS.map((days) => ({
          value: days,
          label: days === 1 ? t('filter.lastDay') : t('filter.lastDays', { count: days }),
        }))}
        onChange={(days) => onChange({ days })}
      />
      <FilterSelect
        label={t('column.client')}
        value={search.client}
        none=""
        options={CLIENTS.map((name) => ({
          value: name as string,
          label: name === 'other' ? t('filter.otherClient') : name,
        }))}
        onChange={(client) => onChange({ client })}
      />
    </FilterRow>
  )
}
