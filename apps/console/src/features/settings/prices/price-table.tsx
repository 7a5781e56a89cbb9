import { Alert, Button, Segmented } from 'antd'
import { useState } from 'react'
import { notifyFailure } from '../../../shared/notify/notify.ts'
import { SearchRow } from '../../../shared/page/search-row.tsx'
import type { RowAction, RowKey } from '../../../shared/table/column.ts'
import { DataTable } from '../../../shared/table/data-table.tsx'
import { Contest } from '../contest/contest.tsx'
import { settingMessages } from '../i18n.ts'
import styles from '../settings.module.css'
import { BatchForm } from './batch-form.tsx'
import { type PriceView, usePriceColumns } from './price-columns.tsx'
import type { PricedRow } from './price-entry.ts'
import { noExtras } from './price-extras.ts'
import { PriceForm } from './price-form.tsx'
import { modeOf, type PriceRow } from './price-rows.ts'
import { usePriceMaps } from './use-price-maps.ts'

const PAGE_ROWS = 10
const noKeys: ReadonlySet<RowKey> = new Set()

type Which = 'all' | 'none' | 'call' | 'usage'
type Opened = 'new' | 'batch' | PricedRow

/** Every model with its price. Changes stay on this page until they are applied; the texts below show them too. */
export function PriceTable() {
  const t = settingMessages.use()
  const maps = usePriceMaps()
  const [which, setWhich] = useState<Which>('all')
  const [keyword, setKeyword] = useState('')
  const [view, setView] = useState<PriceView>('money')
  const [page, setPage] = useState(1)
  const [selected, setSelected] = useState(noKeys)
  const [opened, setOpened] = useState<Opened>()
  const columns = usePriceColumns(view, maps.extras)
  const unit = view === 'extras' ? 'money' : view

  const { extras } = maps
  if (maps.rows === undefined || extras === undefined)
    return <Alert type="error" title={t('prices.broken')} />
  const rows = maps.rows.filter(
    (row) =>
      row.model.toLowerCase().includes(keyword.toLowerCase()) && (which === 'all' || modeOf(row) === which),
  )
  const pageRows = rows.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS)
  const pricedOf = (row: PriceRow): PricedRow => ({ ...row, extras: extras.own(row.model) })
  const chosen = maps.rows.filter(({ model }) => selected.has(model)).map(pricedOf)
  const actions = (row: PriceRow): readonly RowAction[] => [
    {
      key: 'edit',
      label: t('prices.change'),
      isInline: true,
      onSelect: () => setOpened(pricedOf(row)),
    },
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
            { value: 'usage', label: t('prices.byUsage') },
            { value: 'call', label: t('prices.byCall') },
            { value: 'none', label: t('prices.unset') },
          ]}
          onChange={filtering(setWhich)}
        />
        <Segmented
          value={view}
          options={[
            { value: 'money', label: t('prices.inMoney') },
            { value: 'ratio', label: t('prices.inRatios') },
            { value: 'extras', label: t('prices.extras') },
          ]}
          onChange={setView}
        />
      </SearchRow>
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
        paging={{ page, pageSize: PAGE_ROWS, onPage: setPage }}
        empty={{ title: which === 'none' ? t('prices.noneUnset') : t('prices.nothingFound') }}
      />
      <Contest keys={maps.keys} />
      <footer className={styles.foot}>
        {maps.isDirty && <span className={styles.unsaved}>{t('unsaved')}</span>}
        <Button onClick={openBatch}>
          {selected.size > 0 ? t('prices.batch', { count: selected.size }) : t('prices.batchNone')}
        </Button>
        <Button onClick={() => setOpened('new')}>{t('prices.add')}</Button>
        {maps.isDirty && <Button onClick={maps.discard}>{t('discard')}</Button>}
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

  /** A narrower list begins at its first page. */
  function filtering<Value>(change: (value: Value) => void): (value: Value) => void {
    return (value) => {
      change(value)
      setPage(1)
    }
  }
}

function noRefetch(): void {}
