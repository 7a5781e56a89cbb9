import { Segmented } from 'antd'
import { memo, useMemo, useState } from 'react'
import { SearchRow } from '../../../shared/page/search-row.tsx'
import type { RowAction, RowKey } from '../../../shared/table/column.ts'
import { DataTable } from '../../../shared/table/data-table.tsx'
import { usePageSize } from '../../../shared/table/paging.ts'
import { settingMessages } from '../i18n/index.ts'
import styles from '../settings.module.css'
import type { EffectivePrices } from './effective-price.ts'
import { type PriceView, usePriceColumns } from './price-columns.tsx'
import type { PricedRow } from './price-entry.ts'
import { noExtras, type PriceExtras } from './price-extras.ts'
import { modeOf, type PriceMode, type PriceRow } from './price-rows.ts'

type Which = 'all' | PriceMode

interface PriceGridProps {
  readonly rows: readonly PriceRow[]
  /** The models that channels serve. */
  readonly served: ReadonlySet<string>
  readonly effective: EffectivePrices
  readonly extras: PriceExtras
  readonly view: PriceView
  readonly onView: (view: PriceView) => void
  readonly selected: ReadonlySet<RowKey>
  readonly onSelect: (selected: ReadonlySet<RowKey>) => void
  readonly onEdit: (row: PricedRow) => void
  readonly onPrice: (rows: readonly PricedRow[]) => void
}

/**
 * The models with their prices, searched, filtered and paged. It is rendered when a price changes, and not
 * when another setting of the tab does.
 */
export const PriceGrid = memo(function PriceGrid(props: PriceGridProps) {
  const { rows: all, served, effective, extras, view, onView, selected, onSelect, onEdit, onPrice } = props
  const t = settingMessages.use()
  const [which, setWhich] = useState<Which>('all')
  const [keyword, setKeyword] = useState('')
  const [page, setPage] = useState(1)
  const [pageSize, setPageSize] = usePageSize()
  const columns = usePriceColumns({ view, extras, effective })
  const rows = useMemo(
    () =>
      all.filter(
        (row) =>
          row.model.toLowerCase().includes(keyword.toLowerCase()) &&
          (which === 'all' || isOf(row, which, { effective, served })),
      ),
    [all, keyword, which, effective, served],
  )
  const actions = (row: PriceRow): readonly RowAction[] => [
    {
      key: 'edit',
      label: t('prices.change'),
      isInline: true,
      onSelect: () => onEdit({ ...row, extras: extras.own(row.model) }),
    },
    {
      key: 'remove',
      label: t('prices.remove'),
      isDestructive: true,
      isDisabled: modeOf(row) === 'none',
      onSelect: () => onPrice([{ model: row.model, parts: {}, extras: noExtras }]),
    },
  ]
  return (
    <>
      <SearchRow
        keyword={keyword}
        placeholder={t('prices.search')}
        onSearch={filtering(setKeyword)}
        activeCount={which === 'all' ? 0 : 1}
      >
        <Segmented
          value={which}
          options={[
            { value: 'all', label: t('prices.all') },
            { value: 'usage', label: t('word.byUsage') },
            { value: 'call', label: t('word.byCall') },
            { value: 'none', label: t('prices.unset') },
          ]}
          onChange={filtering(setWhich)}
        />
        <Segmented
          value={view}
          options={[
            { value: 'money', label: t('prices.inMoney') },
            { value: 'ratio', label: t('word.ratios') },
            { value: 'extras', label: t('prices.extras') },
          ]}
          onChange={onView}
        />
      </SearchRow>
      {view !== 'extras' && <p className={styles.help}>{t('prices.sources')}</p>}
      <DataTable
        label={t('prices.title')}
        source={{
          data: { rows: rows.slice((page - 1) * pageSize, page * pageSize), total: rows.length },
          error: null,
          isFetching: false,
          refetch: noRefetch,
        }}
        columns={columns}
        rowKey={(row) => row.model}
        actions={actions}
        selection={{ keys: selected, onChange: onSelect }}
        paging={{ page, pageSize, onPage: setPage, onPageSize: filtering(setPageSize) }}
        empty={{
          title: which === 'none' && keyword === '' ? t('prices.noneUnset') : t('prices.nothingFound'),
        }}
      />
    </>
  )

  /** A changed filter shows the first page of the list again. */
  function filtering<Value>(change: (value: Value) => void): (value: Value) => void {
    return (value) => {
      change(value)
      setPage(1)
    }
  }
})

/** A model that no channel serves does not count as missing a price. */
function isOf(
  row: PriceRow,
  which: PriceMode,
  { effective, served }: Pick<PriceGridProps, 'effective' | 'served'>,
): boolean {
  return effective(row).mode === which && (which !== 'none' || served.has(row.model))
}

function noRefetch(): void {}
