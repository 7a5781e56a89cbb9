import { useQuery } from '@tanstack/react-query'
import { channelRoutes } from '@tollgate/contract/channel'
import { Alert, Button, Segmented } from 'antd'
import { useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { SearchRow } from '../../../shared/page/search-row.tsx'
import type { Column, RowAction, RowKey } from '../../../shared/table/column.ts'
import { DataTable } from '../../../shared/table/data-table.tsx'
import { changedKeys } from '../drafts.ts'
import { settingMessages } from '../i18n.ts'
import styles from '../settings.module.css'
import { fields } from '../tab.ts'
import { useDrafts } from '../use-drafts.ts'
import { useSave } from '../use-save.ts'
import { partLabels, type PriceUnit } from './part-labels.ts'
import { PriceForm } from './price-form.tsx'
import { modeOf, priceMaps, type PriceRow, priceParts, rowsOf, textsWith } from './price-rows.ts'
import { pricesOf } from './price-units.ts'

const PAGE_ROWS = 10
const PRICE_KEYS = Object.values(priceMaps)
const noKeys: ReadonlySet<RowKey> = new Set()
const noModels: readonly string[] = []

type Which = 'all' | 'none' | 'call' | 'usage'

/** Every model with its price. Changes stay on this page until they are applied; the texts below show them too. */
export function PriceTable() {
  const t = settingMessages.use()
  const maps = usePriceMaps()
  const [which, setWhich] = useState<Which>('all')
  const [keyword, setKeyword] = useState('')
  const [unit, setUnit] = useState<PriceUnit>('money')
  const [page, setPage] = useState(1)
  const [selected, setSelected] = useState(noKeys)
  const [edited, setEdited] = useState<{ models: readonly string[] | undefined; parts: PriceRow['parts'] }>()
  const columns = usePriceColumns(unit)

  if (maps.rows === undefined) return <Alert type="error" title={t('prices.broken')} />
  const rows = maps.rows.filter(
    (row) =>
      row.model.toLowerCase().includes(keyword.toLowerCase()) && (which === 'all' || modeOf(row) === which),
  )
  const pageRows = rows.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS)
  const actions = (row: PriceRow): readonly RowAction[] => [
    {
      key: 'edit',
      label: t('prices.change'),
      isInline: true,
      onSelect: () => setEdited({ models: [row.model], parts: row.parts }),
    },
    {
      key: 'remove',
      label: t('prices.remove'),
      isDestructive: true,
      isDisabled: modeOf(row) === 'none',
      onSelect: () => maps.setPrice([row.model], {}),
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
          value={unit}
          options={[
            { value: 'money', label: t('prices.inMoney') },
            { value: 'ratio', label: t('prices.inRatios') },
          ]}
          onChange={setUnit}
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
      <footer className={styles.foot}>
        {maps.isDirty && <span className={styles.unsaved}>{t('unsaved')}</span>}
        {selected.size > 0 && (
          <Button onClick={() => setEdited({ models: [...selected].map(String), parts: {} })}>
            {t('prices.batch', { count: selected.size })}
          </Button>
        )}
        <Button onClick={() => setEdited({ models: undefined, parts: {} })}>{t('prices.add')}</Button>
        {maps.isDirty && <Button onClick={maps.discard}>{t('discard')}</Button>}
        <Button
          type={maps.isDirty ? 'primary' : 'default'}
          loading={maps.isBusy}
          onClick={() => void maps.save()}
        >
          {t('prices.applyAll')}
        </Button>
      </footer>
      {edited !== undefined && (
        <PriceForm
          {...edited}
          unit={unit}
          isTaken={(model) => maps.rows?.some((row) => row.model === model) === true}
          onApply={(models, parts) => {
            maps.setPrice(models, parts)
            setEdited(undefined)
            setSelected(noKeys)
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  )

  /** A narrower list begins at its first page. */
  function filtering<Value>(change: (value: Value) => void): (value: Value) => void {
    return (value) => {
      change(value)
      setPage(1)
    }
  }
}

/** The maps as they are entered or stored, together with the models that channels serve. */
function usePriceMaps() {
  const t = settingMessages.use()
  const { stored, drafts, enter, forget } = useDrafts()
  const words = { en: t('prices.title'), zh: t('prices.title') }
  const { isBusy, save } = useSave({
    key: 'prices',
    title: words,
    purpose: words,
    fields: fields(...PRICE_KEYS),
  })
  const { data: served = noModels } = useQuery({
    queryKey: ['channel', 'models-enabled'],
    queryFn: ({ signal }) => api.call(channelRoutes.modelsEnabled, { signal }),
  })
  const textOf = (key: (typeof PRICE_KEYS)[number]) => drafts.get(key) ?? stored.get(key)?.text ?? '{}'
  const texts = {
    price: textOf('ModelPrice'),
    ratio: textOf('ModelRatio'),
    completion: textOf('CompletionRatio'),
    cache: textOf('CacheRatio'),
    cacheWrite: textOf('CreateCacheRatio'),
    cacheWrite1h: textOf('CreateCache1hRatio'),
    image: textOf('ImageRatio'),
    audio: textOf('AudioRatio'),
    audioCompletion: textOf('AudioCompletionRatio'),
  }
  return {
    rows: rowsOf(texts, served),
    isDirty: changedKeys(PRICE_KEYS, drafts, stored).length > 0,
    isBusy,
    save,
    discard: () => forget(PRICE_KEYS),
    setPrice: (models: readonly string[], parts: PriceRow['parts']) => {
      for (const [part, text] of textsWith(texts, models, parts)) enter(priceMaps[part], text)
    },
  }
}

function usePriceColumns(unit: PriceUnit): readonly Column<PriceRow>[] {
  const t = settingMessages.use()
  const valuesOf = (row: PriceRow) => (unit === 'money' ? pricesOf(row.parts) : row.parts)
  return [
    {
      key: 'model',
      title: t('prices.model'),
      isFixed: true,
      phone: 'title',
      render: (row) => <span className="code">{row.model}</span>,
    },
    {
      key: 'mode',
      title: t('prices.mode'),
      phone: 'detail',
      render: (row) => t(modeLabels[modeOf(row)]),
    },
    ...priceParts.map((part): Column<PriceRow> => {
      return {
        key: part,
        title: t(partLabels[unit][part]),
        isNumber: true,
        ...(part === 'ratio' && { phone: 'value' as const }),
        render: (row) => {
          const value = part !== 'price' && modeOf(row) === 'call' ? undefined : valuesOf(row)[part]
          if (value === undefined) return <span className="muted">–</span>
          return unit === 'money' || part === 'price' ? `$${value}` : value
        },
      }
    }),
  ]
}

const modeLabels = { call: 'prices.byCall', usage: 'prices.byUsage', none: 'prices.unset' } as const

function noRefetch(): void {}
