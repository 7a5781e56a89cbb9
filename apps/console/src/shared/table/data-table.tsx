import { ErrorState } from '../page/error-state.tsx'
import { EmptyState } from '../page/empty-state.tsx'
import { useIsPhone } from '../page/use-is-phone.ts'
import type { EmptyWords, TableContent, TableSource } from './column.ts'
import styles from './data-table.module.css'
import { Pager } from './pager.tsx'
import type { Paging } from './paging.ts'
import { PhoneList } from './phone-list.tsx'
import { TableGrid } from './table-grid.tsx'

interface DataTableProps<Row> extends TableContent<Row> {
  readonly source: TableSource<Row>
  readonly empty: EmptyWords
  readonly paging?: Paging
}

const PLACEHOLDER_ROWS_MAX = 10

/** The one table: rows from the server, a skeleton before them, words when there are none, a retry when they failed. */
export function DataTable<Row>({ source, empty, paging, ...content }: DataTableProps<Row>) {
  const isPhone = useIsPhone()
  const { data, error } = source
  const placeholderRows = Math.min(paging?.pageSize ?? PLACEHOLDER_ROWS_MAX, PLACEHOLDER_ROWS_MAX)
  const Body = isPhone ? PhoneList : TableGrid

  if (error !== null && data === undefined) {
    return (
      <div className={styles.frame}>
        <ErrorState error={error} onRetry={() => source.refetch()} />
      </div>
    )
  }
  return (
    <section className={styles.whole} aria-busy={source.isFetching} aria-label={content.label}>
      <div className={styles.frame}>
        {source.isFetching && data !== undefined && <div className={styles.progress} aria-hidden="true" />}
        <Body {...content} rows={data?.rows} placeholderRows={placeholderRows} />
        {data?.rows.length === 0 && <EmptyState {...empty} />}
      </div>
      {paging !== undefined && data !== undefined && data.total > 0 && (
        <Pager paging={paging} total={data.total} />
      )}
    </section>
  )
}
