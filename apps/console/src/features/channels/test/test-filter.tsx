import type { Channel } from '@tollgate/contract/channel'
import { FilterSelect } from '../../../shared/page/filter-select.tsx'
import { channelTestMessages } from './i18n.ts'

type Outcome = Channel['test_outcome']

interface TestFilterProps {
  readonly value: Outcome
  readonly onChange: (outcome: Outcome) => void
}

/** Filters the list to channels whose last test failed or succeeded. */
export function TestFilter({ value, onChange }: TestFilterProps) {
  const t = channelTestMessages.use()
  return (
    <FilterSelect<Outcome>
      label={t('title')}
      placeholder={t('anyTest')}
      value={value}
      none=""
      options={[
        { value: 'failed', label: t('filterFailed') },
        { value: 'ok', label: t('filterOk') },
      ]}
      onChange={onChange}
    />
  )
}
