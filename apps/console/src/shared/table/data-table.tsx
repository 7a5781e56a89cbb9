import { BatchBar } from './batch-bar.tsx'
import { useIsPhone } from '../page/use-is-phone.ts'
import type { EmptyWords, RowAction, TableContent, TableSource } from './column.ts'
import { Pager } from './pager.tsx'
import type { Paging } from './paging.ts'
import { PhoneSort } from './phone-sort.tsx'
import { PlainTable } from './plain-table.tsx'
import { RowActions } from './row-actions.tsx'

interface DataTableProps<Row> extends TableContent<Row> {
  readonly source: TableSource<Row>
  readonly empty: EmptyWords
  readonly paging?: Paging
  /** Actions on all selected rows; requires `selection`. */
  readonly batchActions?: readonly RowAction[]
}

/** The console's standard table: rows with actions, paging, and batch actions on the selected rows. */
export function DataTable<Row>({ paging, batchActions, actions, ...table }: DataTableProps<Row>) {
  const { source, selection, sorting } = table
  const isPhone = useIsPhone()
  return (
    <PlainTable
      {...table}
      above={isPhone && sorting !== undefined && <PhoneSort columns={table.columns} sorting={sorting} />}
      placeholderRows={paging?.pageSize}
      renderActions={actions ? (row: Row, isFolded: boolean) => actionsOf(actions(row), isFolded) : undefined}
    >
      {paging !== undefined && source.data !== undefined && source.data.total > 0 && (
        <Pager paging={paging} total={source.data.total} />
      )}
      {batchActions !== undefined && selection !== undefined && (
        <BatchBar
          count={selection.keys.size}
          actions={batchActions}
          onClear={() => selection.onChange(new Set())}
        />
      )}
    </PlainTable>
  )
}

function actionsOf(actions: readonly RowAction[], isFolded: boolean) {
  return actions.length > 0 && <RowActions actions={actions} isFolded={isFolded} />
}
