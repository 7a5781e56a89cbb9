import { Alert, Button } from 'antd'
import { useState } from 'react'
import { notifyFailure } from '../../../shared/notify/notify.ts'
import type { RowKey } from '../../../shared/table/column.ts'
import { SettingConflicts } from '../conflict/setting-conflicts.tsx'
import { settingMessages } from '../i18n/index.ts'
import styles from '../settings.module.css'
import { BatchForm } from './batch-form.tsx'
import { CountedFees } from './counted-fees.tsx'
import type { PriceView } from './price-columns.tsx'
import type { PricedRow } from './price-entry.ts'
import { PriceForm } from './price-form.tsx'
import { PriceGrid } from './price-grid.tsx'
import { usePriceMaps } from './use-price-maps.ts'

const noKeys: ReadonlySet<RowKey> = new Set()

type Opened = 'new' | 'batch' | PricedRow

/**
 * The price table of all models. Changes stay in the browser until they are saved; the JSON texts below show
 * them too.
 */
export function PriceTable() {
  const t = settingMessages.use()
  const maps = usePriceMaps()
  const [view, setView] = useState<PriceView>('money')
  const [selected, setSelected] = useState(noKeys)
  const [opened, setOpened] = useState<Opened>()
  const unit = view === 'extras' ? 'money' : view

  const { rows, extras } = maps
  if (rows === undefined || extras === undefined) return <Alert type="error" title={t('prices.broken')} />
  const chosen = rows
    .filter(({ model }) => selected.has(model))
    .map((row) => ({ ...row, extras: extras.own(row.model) }))

  return (
    <div className={styles.prices}>
      <CountedFees />
      <PriceGrid
        rows={rows}
        served={maps.served}
        effective={maps.effective}
        extras={extras}
        view={view}
        onView={setView}
        selected={selected}
        onSelect={setSelected}
        onEdit={setOpened}
        onPrice={maps.setPrices}
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
          isTaken={(model) => rows.some((row) => row.model === model)}
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
}
