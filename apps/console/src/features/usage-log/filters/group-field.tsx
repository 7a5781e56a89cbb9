import { FilterSelect } from '../../../shared/page/filter-select.tsx'
import { usageLogMessages } from '../i18n/index.ts'

interface GroupFieldProps {
  readonly value: string
  readonly names: readonly string[]
  readonly onChange: (group: string) => void
}

/** Selects a group. A deleted group stays in the list while the address names it. */
export function GroupField({ value, names, onChange }: GroupFieldProps) {
  const t = usageLogMessages.use()
  const all = value === '' || names.includes(value) ? names : [value, ...names]
  return (
    <FilterSelect
      isSearchable
      widthPx={116}
      label={t('word.group')}
      value={value}
      none=""
      options={all.map((name) => ({ value: name, label: name }))}
      onChange={onChange}
    />
  )
}
