import type { ReactNode } from 'react'
import { ErrorState } from '../page/error-state.tsx'
import { EmptyState } from '../page/empty-state.tsx'
import { useIsPhone } from '../page/use-is-phone.ts'
import { withAmounts } from './amount-column.tsx'
import type { EmptyWords, TableSource } from './column.ts'
import styles from './data-table.module.css'
import { PhoneList } from './phone-list.tsx'
import { type BodyContent, TableGrid } from './table-grid.tsx'

interface PlainTableProps<Row> extends BodyContent<Row> {
  readonly source: TableSource<Row>
  readonly empty: EmptyWords
  /** The number of placeholder rows before the first response. */
  readonly placeholderRows?: number
  /** Shown above the rows: the sort order on a phone. */
  readonly above?: ReactNode
  /** Shown below the rows: paging and batch actions. */
  readonly children?: ReactNode
}

const PLACEHOLDER_ROWS_MAX = 10

/**
 * Shows rows from the server, a skeleton before them, a text if there are none, and a retry button after a
 * failure. For tables without paging and actions, on pages that must be usable before the component library
 * is loaded; everywhere else use `DataTable`.
 */
export function PlainTable<Row>({
  source,
  empty,
  placeholderRows = PLACEHOLDER_ROWS_MAX,
  above,
  children,
  ...content
}: PlainTableProps<Row>) {
  const isPhone = useIsPhone()
  const { data, error } = source
  const Body = isPhone ? PhoneList : TableGrid

  if (error !== null && data === undefined) {
    return (
      <div className={styles.frame}>
        <ErrorState error={error} onRetry={() => source.refetch()} />
      </div>
    )
  }
  return (
    <section className="stack-12" aria-busy={source.isFetching} aria-label={content.label}>
      {above}
      <div className={styles.frame}>
        {source.isFetching && data !== undefined && <div className={styles.progress} aria-hidden="true" />}
        <Body
          {...content}
          columns={withAmounts(content.columns, data?.rows ?? [])}
          rows={data?.rows}
          placeholderRows={Math.min(placeholderRows, PLACEHOLDER_ROWS_MAX)}
        />
        {data?.rows.length === 0 && <EmptyState {...empty} />}
      </div>
      {children}
    </section>
  )
}
