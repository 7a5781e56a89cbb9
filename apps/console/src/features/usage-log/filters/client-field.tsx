import { CLIENTS } from '@tollgate/kit/codes'
import { FilterSelect } from '../../../shared/page/filter-select.tsx'
import { usageLogMessages } from '../i18n/index.ts'

interface ClientFieldProps {
  readonly value: string
  readonly onChange: (client: string) => void
}

/** Selects the program that made the calls. */
export function ClientField({ value, onChange }: ClientFieldProps) {
  const t = usageLogMessages.use()
  const options = CLIENTS.map((name) => ({
    value: name as string,
    label: name === 'other' ? t('filter.otherClient') : name,
  }))
  return (
    <FilterSelect
      widthPx={124}
      label={t('fact.client')}
      value={value}
      none=""
      options={options}
      onChange={onChange}
    />
  )
}
