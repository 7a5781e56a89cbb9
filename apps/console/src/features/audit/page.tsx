import type { AuditRow } from '@tollgate/contract/audit'
import { FilterSelect } from '../../shared/page/filter-select.tsx'
import { Page } from '../../shared/page/page.tsx'
import { SearchRow } from '../../shared/page/search-row.tsx'
import { useSearchState } from '../../shared/routing/search.ts'
import { DataTable } from '../../shared/table/data-table.tsx'
import { usePaging } from '../../shared/table/paging.ts'
import { useAuditPage } from './api.ts'
import { Changes } from './changes.tsx'
import { useAuditColumns } from './columns.tsx'
import { auditMessages } from './i18n.ts'
import { RangeFilter } from './range-filter.tsx'
import { type AuditSearch, auditSearchSchema } from './search.ts'
import { actions, actionWord, entities, entityWord } from './words.ts'

/** The audit log: changes that people have made. */
export default function AuditPage() {
  const t = auditMessages.use()
  const [search, setSearch] = useSearchState(auditSearchSchema)
  const paging = usePaging(search.p, setSearch)
  const source = useAuditPage(search, paging.pageSize)
  const isFiltered = activeFilters(search) > 0 || search.keyword !== ''
  return (
    <Page title={t('title')} purpose={t('purpose')}>
      <AuditFilters search={search} onChange={(change) => setSearch({ ...change, p: 1 })} />
      <DataTable
        label={t('title')}
        source={source}
        columns={useAuditColumns()}
        rowKey={(row: AuditRow) => row.id}
        renderDetails={(row) => <Changes row={row} />}
        paging={paging}
        empty={
          isFiltered
            ? { title: t('nothingFound'), text: t('word.otherFilter') }
            : { title: t('emptyTitle'), text: t('emptyText') }
        }
      />
    </Page>
  )
}

interface AuditFiltersProps {
  readonly search: AuditSearch
  readonly onChange: (change: Partial<AuditSearch>) => void
}

function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const t = auditMessages.use()
  return (
    <SearchRow
      keyword={search.keyword}
      placeholder={t('searchHint')}
      onSearch={(keyword) => onChange({ keyword })}
      activeCount={activeFilters(search)}
    >
      <FilterSelect
        label={t('filter.entity')}
        value={search.entity}
        none=""
        options={entities.map((value) => ({ value, label: entityWord(t, value) }))}
        onChange={(entity) => onChange({ entity })}
      />
      <FilterSelect
        label={t('filter.action')}
        value={search.action}
        none=""
        options={actions.map((value) => ({ value, label: actionWord(t, value) }))}
        onChange={(action) => onChange({ action })}
      />
      <RangeFilter
        start={search.start_timestamp}
        end={search.end_timestamp}
        onChange={(start_timestamp, end_timestamp) => onChange({ start_timestamp, end_timestamp })}
      />
    </SearchRow>
  )
}

function activeFilters({ entity, entity_id, action, start_timestamp, end_timestamp }: AuditSearch): number {
  const isRanged = start_timestamp !== 0 || end_timestamp !== 0
  return [entity !== '', entity_id !== '', action !== '', isRanged].filter(Boolean).length
}
