import { sharedMessages } from '../i18n/shared-messages.ts'
import { SelectOnDemand } from '../on-demand/select-on-demand.tsx'
import type { Column, Sorting } from './column.ts'
import styles from './phone-sort.module.css'

interface PhoneSortProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly sorting: Sorting
}

const OWN_ORDER = ''

/** Selects the sort order on a phone, where there are no column headers. */
export function PhoneSort<Row>({ columns, sorting }: PhoneSortProps<Row>) {
  const t = sharedMessages.use()
  const orders = columns
    .filter(({ canSort }) => canSort === true)
    .flatMap(({ key, title }) => [
      { value: `${key} down`, label: t('sort.descending', { column: title }) },
      { value: `${key} up`, label: t('sort.ascending', { column: title }) },
    ])
  return (
    <SelectOnDemand<string>
      className={styles.sort}
      label={t('sort')}
      value={sorting.by === OWN_ORDER ? OWN_ORDER : `${sorting.by} ${sorting.isDescending ? 'down' : 'up'}`}
      options={[{ value: OWN_ORDER, label: t('sort.own') }, ...orders]}
      onChange={(order) => {
        const [by = OWN_ORDER, direction] = order.split(' ')
        sorting.onChange({ by, isDescending: direction === 'down' })
      }}
    />
  )
}
