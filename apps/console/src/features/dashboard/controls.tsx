import { OWN_USAGE_KEYS, USAGE_KEYS } from '@tollgate/contract/usage'
import { Segmented } from 'antd'
import { SelectOnDemand } from '../../shared/on-demand/select-on-demand.tsx'
import { FilterRow } from '../../shared/page/filter-row.tsx'
import { dashboardMessages } from './i18n.ts'
import { RangeControl } from './range-control.tsx'
import { type DashboardSearch, MEASURES } from './search.ts'
import type { Span } from './span.ts'

interface ControlsProps {
  readonly search: DashboardSearch
  readonly span: Span
  readonly isAdmin: boolean
  readonly isOfAll: boolean
  readonly onChange: (change: Partial<DashboardSearch>) => void
}

/** Selects what the charts show: whose calls, the time range, the grouping and the measure. */
export function Controls({ search, span, isAdmin, isOfAll, onChange }: ControlsProps) {
  const t = dashboardMessages.use()
  const keys = isOfAll ? USAGE_KEYS : OWN_USAGE_KEYS
  const by = keys.find((key) => key === search.by) ?? 'model'
  return (
    <FilterRow
      activeCount={0}
      search={
        <Segmented
          aria-label={t('measure')}
          value={search.measure}
          options={MEASURES.map((value) => ({ value, label: t(`measure.${value}`) }))}
          onChange={(measure) => onChange({ measure })}
        />
      }
    >
      <RangeControl span={span} onChange={onChange} />
      {span.steps.length > 1 && (
        <SelectOnDemand
          label={t('step')}
          widthPx={104}
          value={span.step}
          options={span.steps.map((value) => ({ value, label: t(`step.${value}`) }))}
          onChange={(step) => onChange({ step })}
        />
      )}
      <SelectOnDemand
        label={t('by')}
        widthPx={120}
        value={by}
        options={keys.map((value) => ({ value, label: t(`by.${value}`) }))}
        onChange={(value) => onChange({ by: value })}
      />
      {isAdmin && (
        <SelectOnDemand
          label={t('of')}
          widthPx={120}
          value={search.of}
          options={(['all', 'own'] as const).map((value) => ({ value, label: t(`of.${value}`) }))}
          onChange={(of) => onChange({ of })}
        />
      )}
    </FilterRow>
  )
}
