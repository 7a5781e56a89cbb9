import { OWN_USAGE_KEYS, USAGE_KEYS } from '@tollgate/contract/usage'
import { Segmented, Select } from 'antd'
import { FilterRow } from '../../shared/page/filter-row.tsx'
import { dashboardMessages } from './i18n.ts'
import { type DashboardSearch, MEASURES, RANGES, type Span, rangeNames } from './search.ts'

interface ControlsProps {
  readonly search: DashboardSearch
  readonly span: Span
  readonly isAdmin: boolean
  readonly isOfAll: boolean
  readonly onChange: (change: Partial<DashboardSearch>) => void
}

/** What is drawn: whose, how far back, told apart by what, measured how. */
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
      <Select
        aria-label={t('range')}
        style={{ width: 148 }}
        value={span.range}
        options={rangeNames.map((value) => ({ value, label: t(`range.${value}`) }))}
        onChange={(range) => onChange({ range, step: '' })}
      />
      <Select
        aria-label={t('step')}
        style={{ width: 104 }}
        value={span.step}
        options={RANGES[span.range].steps.map((value) => ({ value, label: t(`step.${value}`) }))}
        onChange={(step) => onChange({ step })}
      />
      <Select
        aria-label={t('by')}
        style={{ width: 120 }}
        value={by}
        options={keys.map((value) => ({ value, label: t(`by.${value}`) }))}
        onChange={(value) => onChange({ by: value })}
      />
      {isAdmin && (
        <Select
          aria-label={t('of')}
          style={{ width: 120 }}
          value={search.of}
          options={(['all', 'own'] as const).map((value) => ({ value, label: t(`of.${value}`) }))}
          onChange={(of) => onChange({ of })}
        />
      )}
    </FilterRow>
  )
}
