import { Icon } from '../icon/icon.tsx'
import type { Column, Sorting, SortOrder } from './column.ts'
import styles from './sort-head.module.css'

interface SortHeadProps<Row> {
  readonly column: Column<Row>
  readonly sorting: Sorting
}

/**
 * A column header that sorts the list. Repeated clicks cycle through largest first, smallest first, and the
 * default order.
 */
export function SortHead<Row>({ column, sorting }: SortHeadProps<Row>) {
  const { key, title } = column
  const isSorted = sorting.by === key
  return (
    <button type="button" className={styles.sort} onClick={() => sorting.onChange(nextOrder(key, sorting))}>
      {title}
      <span className={isSorted ? styles.arrow : styles.noArrow} data-up={isSorted && !sorting.isDescending}>
        <Icon name="chevronDown" sizePx={12} />
      </span>
    </button>
  )
}

function nextOrder(key: string, { by, isDescending }: SortOrder): SortOrder {
  if (by !== key) return { by: key, isDescending: true }
  return isDescending ? { by: key, isDescending: false } : { by: '', isDescending: false }
}
