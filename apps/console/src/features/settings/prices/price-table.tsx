import { Alert, Button, Segmented } from 'antd'
import { useState } from 'react'
import { notifyFailure } from '../../../shared/notify/notify.ts'
import { SearchRow } from '../../../shared/page/search-row.tsx'
import type { RowAction, RowKey } from '../../../shared/table/column.ts'
import { usePageSize } from '../../../shared/table/paging.ts'
import { DataTable } from '../../../shared/table/data-table.tsx'
import { SettingConflicts } from '../conflict/setting-conflicts.tsx'
import { settingMessages } from '../i18n/index.ts'
import styles from '../settings.module.css'
import { BatchForm } from './batch-form.tsx'
import { type PriceView, usePriceColumns } from './price-columns.tsx'
import type { PricedRow } from './price-entry.ts'
import { noExtras } from './price-extras.ts'
import { PriceForm } from './price-form.tsx'
import { modeOf, type PriceMode, type PriceRow } from './price-rows.ts'
import { type PriceMaps, usePriceMaps } from './use-price-maps.ts'

const noKeys: ReadonlySet<RowKey> = new Set()

type Which = 'all' | 'none' | 'call' | 'usage'
type Opened = 'new' | 'batch' | PricedRow

/**
 * The price table of all models. Changes stay in the browser until they are saved; the JSON texts below show
 * them too.
 */
export function PriceTable() {
  const t = settingMessages.use()
  const maps = usePriceMaps()
  const [which, setWhich] = useState<Which>('all')
  const [keyword, setKeyword] = useState('')
  const [view, setView] = useState<PriceView>('money')
  const [page, setPage] = useState(1)
  const [pageSize, setPageSize] = usePageSize()
  const [selected, setSelected] = useState(noKeys)
  const [opened, setOpened] = useState<Opened>()
  const columns = usePriceColumns({ view, extras: maps.extras, effective: maps.effective })
  const unit = view === 'extras' ? 'money' : view

  const { extras } = maps
  if (maps.rows === undefined || extras === undefined)
    return <Alert type="error" title={t('prices.broken')} />
  const rows = maps.rows.filter(
    (row) =>
      row.model.toLowerCase().includes(keyword.toLowerCase()) && (which === 'all' || isOf(row, which, maps)),
  )
  const pageRows = rows.slice((page - 1) * pageSize, page * pageSize)
  const pricedOf = (row: PriceRow): PricedRow => ({ ...row, extras: extras.own(row.model) })
  const chosen = maps.rows.filter(({ model }) => selected.has(model)).map(pricedOf)
  const actions = (row: PriceRow): readonly RowAction[] => [
    { key: 'edit', label: t('prices.change'), isInline: true, onSelect: () => setOpened(pricedOf(row)) },
    {
      key: 'remove',
      label: t('prices.remove'),
      isDestructive: true,
      isDisabled: modeOf(row) === 'none',
      onSelect: () => maps.setPrices([{ model: row.model, parts: {}, extras: noExtras }]),
    },
  ]

  return (
    <div className={styles.prices}>
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
          onChange={setView}
        />
      </SearchRow>
      {view !== 'extras' && <p className={styles.help}>{t('prices.sources')}</p>}
      <DataTable
        label={t('prices.title')}
        source={{
          data: { rows: pageRows, total: rows.length },
          error: null,
          isFetching: false,
          refetch: noRefetch,
        }}
        columns={columns}
        rowKey={(row) => row.model}
        actions={actions}
        selection={{ keys: selected, onChange: setSelected }}
        paging={{ page, pageSize, onPage: setPage, onPageSize: filtering(setPageSize) }}
        empty={{
          title: which === 'none' && keyword === '' ? t('prices.noneUnset') : t('prices.nothingFound'),
        }}
      />
      <SettingConflicts keys={maps.keys} />
      <footer className={styles.foot}>
        {maps.isDirty && <span className={styles.unsaved}>{t('form.unsaved')}</span>}
        <Button onClick={openBatch}>
          {selected.size > 0 ? t('prices.batch', { count: selected.size }) : t('prices.batchNone')}
        </Button>
        <Button onClick={() => setOpened('new')}>{t('prices.add')}</Button>
        {maps.isDirty && <Button onClick={maps.discard}>{t('form.discard')}</Button>}
        <Button
          type={maps.isDirty ? 'primary' : 'default'}
          loading={maps.isBusy}
          onClick={() => void maps.save()}
        >
          {t('prices.applyAll')}
        </Button>
      </footer>
      {opened === 'batch' && (
        <BatchForm
          rows={chosen}
          toolNames={extras.toolNames}
          unit={unit}
          onApply={apply}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened !== undefined && opened !== 'batch' && (
        <PriceForm
          row={opened === 'new' ? undefined : opened}
          extras={extras}
          effective={maps.effective}
          unit={unit}
          isTaken={(model) => maps.rows?.some((row) => row.model === model) === true}
          onApply={(row) => apply([row])}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  )

  function openBatch() {
    if (selected.size === 0) return notifyFailure(t('prices.selectFirst'))
    setOpened('batch')
  }

  function apply(priced: readonly PricedRow[]) {
    maps.setPrices(priced)
    setOpened(undefined)
    setSelected(noKeys)
  }

  /** A changed filter shows the first page of the list again. */
  function filtering<Value>(change: (value: Value) => void): (value: Value) => void {
    return (value) => {
      change(value)
      setPage(1)
    }
  }
}

/** A model that no channel serves does not count as missing a price. */
function isOf(row: PriceRow, which: PriceMode, maps: Pick<PriceMaps, 'effective' | 'served'>): boolean {
  return maps.effective(row).mode === which && (which !== 'none' || maps.served.has(row.model))
}

function noRefetch(): void {}
