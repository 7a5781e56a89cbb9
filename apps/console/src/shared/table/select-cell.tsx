import { sharedMessages } from '../i18n/shared-messages.ts'
import type { RowKey, Selection } from './column.ts'
import styles from './data-table.module.css'
import { toggled } from './toggled.ts'

interface SelectAllCellProps {
  readonly selection: Selection
  readonly keys: readonly RowKey[]
}

/** Selects every row of this page; rows of other pages are not changed. */
export function SelectAllCell({ selection, keys }: SelectAllCellProps) {
  const t = sharedMessages.use()
  const onPage = new Set(keys)
  const ticked = selection.keys.intersection(onPage).size
  const isAll = keys.length > 0 && ticked === keys.length
  return (
    <th className={styles.narrow}>
      <input
        type="checkbox"
        className="tick"
        aria-label={t('selectAllRows')}
        checked={isAll}
        ref={(box) => {
          if (box !== null) box.indeterminate = ticked > 0 && !isAll
        }}
        onChange={() =>
          selection.onChange(isAll ? selection.keys.difference(onPage) : selection.keys.union(onPage))
        }
      />
    </th>
  )
}

interface SelectCellProps {
  readonly selection: Selection
  readonly rowKey: RowKey
}

export function SelectCell({ selection, rowKey }: SelectCellProps) {
  return (
    // A click near the small box must not open the row.
    <td className={styles.narrow} onClick={(event) => event.stopPropagation()}>
      <SelectBox selection={selection} rowKey={rowKey} />
    </td>
  )
}

export function SelectBox({ selection, rowKey }: SelectCellProps) {
  const t = sharedMessages.use()
  return (
    <input
      type="checkbox"
      className="tick"
      aria-label={t('selectRow')}
      checked={selection.keys.has(rowKey)}
      onClick={(event) => event.stopPropagation()}
      onChange={() => selection.onChange(toggled(selection.keys, rowKey))}
    />
  )
}
