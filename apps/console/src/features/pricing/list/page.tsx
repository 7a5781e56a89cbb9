import { useState } from 'react'
import { copyText } from '../../../shared/copy/copy.ts'
import { groupDescription } from '../../../shared/groups/group-description.ts'
import { EmptyState } from '../../../shared/page/empty-state.tsx'
import { SelectOnDemand } from '../../../shared/on-demand/select-on-demand.tsx'
import { ErrorState } from '../../../shared/page/error-state.tsx'
import { FilterSelect } from '../../../shared/page/filter-select.tsx'
import { PlainButton } from '../../../shared/page/plain-button.tsx'
import { PageHeader } from '../../../shared/page/page-header.tsx'
import { SearchRow } from '../../../shared/page/search-row.tsx'
import { useSearchState } from '../../../shared/routing/search.ts'
import type { RowKey } from '../../../shared/table/column.ts'
import { PlainTable } from '../../../shared/table/plain-table.tsx'
import { type PriceGroup, type PriceList, usePriceList, useShownGroup } from '../api.ts'
import { endpointLabel } from '../endpoints.ts'
import { pricingMessages } from '../i18n/index.ts'
import { Banners } from './banners.tsx'
import { columnsFor, usePriceColumns } from './columns.tsx'
import { byOwner, matching, type OwnerSection } from './matching.ts'
import { isByCall } from '../prices.ts'
import styles from './page.module.css'
import { RowDetails } from './row-details.tsx'
import { type PricingSearch, pricingSearch } from './search.ts'

type Change = (change: Partial<PricingSearch>) => void

/** The public price list of all models, in the reader's groups, by provider. */
export default function PricingPage() {
  const t = pricingMessages.use()
  const [search, setSearch] = useSearchState(pricingSearch)
  const prices = usePriceList()
  const [selected, setSelected] = useState<ReadonlySet<RowKey>>(new Set())
  const group = useShownGroup(prices.data?.groups ?? [], search.group)
  const change: Change = (part) => setSearch(part, { replace: true })
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('title')}
        purpose={t('purpose')}
        actions={
          <PlainButton
            isDisabled={selected.size === 0}
            onClick={() => void copyText([...selected].join(','))}
          >
            {t('copySelected', { count: selected.size })}
          </PlainButton>
        }
      />
      {prices.error !== null && prices.data === undefined ? (
        <ErrorState error={prices.error} onRetry={() => void prices.refetch()} />
      ) : (
        <>
          <Banners group={group} />
          <Filters search={search} list={prices.data ?? noPrices} group={group} onChange={change} />
          {prices.data === undefined ? (
            <Outline label={t('title')} />
          ) : (
            <Sections
              list={prices.data}
              search={search}
              group={group}
              selected={selected}
              onSelect={setSelected}
              onGroup={(name) => change({ group: name })}
            />
          )}
        </>
      )}
    </div>
  )
}

const noPrices: PriceList = { rows: [], groups: [] }

/** Placeholder of one provider's table while the list is loading. */
function Outline({ label }: { readonly label: string }) {
  const columns = usePriceColumns({ group: undefined, onGroup: () => undefined })
  const source = { data: undefined, error: null, isFetching: true, refetch: () => undefined }
  return (
    <section className={styles.section}>
      <h2 aria-hidden="true">&nbsp;</h2>
      <PlainTable
        label={label}
        source={source}
        columns={columns.filter(({ key }) => key !== 'call')}
        rowKey={(row) => row.model_name}
        empty={{ title: '' }}
      />
    </section>
  )
}

interface FiltersProps {
  readonly search: PricingSearch
  readonly list: PriceList
  readonly group: PriceGroup | undefined
  readonly onChange: Change
}

function Filters({ search, list, group, onChange }: FiltersProps) {
  const t = pricingMessages.use()
  const owners = byOwner(list.rows)
  const endpoints = [...new Set(list.rows.flatMap((row) => row.supported_endpoint_types))].toSorted()
  return (
    <SearchRow
      keyword={search.keyword}
      placeholder={t('search')}
      onSearch={(keyword) => onChange({ keyword })}
      activeCount={[search.owner, search.endpoint, search.group].filter((value) => value !== '').length}
    >
      <SelectOnDemand
        className={styles.filter}
        label={t('word.group')}
        value={group?.name}
        options={list.groups.map(({ name, description }) => {
          const words = groupDescription(description)
          return { value: name, label: words === '' ? name : `${name} · ${words}` }
        })}
        onChange={(name) => onChange({ group: name })}
      />
      <FilterSelect
        label={t('owner')}
        value={search.owner}
        none=""
        options={owners.map(({ owner, name }) => ({ value: owner, label: name || t('noOwner') }))}
        onChange={(owner) => onChange({ owner })}
      />
      <FilterSelect
        label={t('endpoint')}
        value={search.endpoint}
        none=""
        options={endpoints.map((endpoint) => ({ value: endpoint, label: endpointLabel(endpoint, t) }))}
        onChange={(endpoint) => onChange({ endpoint })}
      />
    </SearchRow>
  )
}

interface SectionsProps {
  readonly list: PriceList
  readonly search: PricingSearch
  readonly group: PriceGroup | undefined
  readonly selected: ReadonlySet<RowKey>
  readonly onSelect: (keys: ReadonlySet<RowKey>) => void
  readonly onGroup: (name: string) => void
}

function Sections({ list, search, group, selected, onSelect, onGroup }: SectionsProps) {
  const t = pricingMessages.use()
  const columns = usePriceColumns({ group, onGroup })
  const sections = byOwner(matching(list.rows, search))
  if (list.rows.length === 0) return <EmptyState title={t('empty')} text={t('emptyText')} />
  if (sections.length === 0) return <EmptyState title={t('nothingFound')} text={t('nothingFoundText')} />
  const table = ({ owner, name, rows }: OwnerSection) => (
    <section key={owner} className={styles.section}>
      <h2>
        {name || t('noOwner')} <span className="muted number">{rows.length}</span>
        {!rows.every(isByCall) && <span className={styles.unit}>{t('perMillion')}</span>}
      </h2>
      <PlainTable
        label={name || t('noOwner')}
        source={{
          data: { rows, total: rows.length },
          error: null,
          isFetching: false,
          refetch: () => undefined,
        }}
        columns={columnsFor(columns, rows)}
        rowKey={(row) => row.model_name}
        renderDetails={(row) => <RowDetails row={row} group={group} />}
        isRowMuted={(row) => group !== undefined && !row.enable_groups.includes(group.name)}
        selection={{ keys: selected, onChange: onSelect }}
        empty={{ title: t('nothingFound') }}
      />
    </section>
  )
  return sections.map(table)
}
