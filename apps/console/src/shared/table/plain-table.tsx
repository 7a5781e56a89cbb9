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
  /** How many rows are sketched before the first answer. */
  readonly placeholderRows?: number
  /** Over the rows: their order, on a phone. */
  readonly above?: ReactNode
  /** Under the rows: the way to other pages, what to do with the ticked ones. */
  readonly children?: ReactNode
}

const PLACEHOLDER_ROWS_MAX = 10

/**
 * Rows from the server, a skeleton before them, words when there are none, a retry when they failed. For tables without
 * pages and actions on pages that must be there before the component library is; everywhere else see `DataTable`.
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
    <section className={styles.whole} aria-busy={source.isFetching} aria-label={content.label}>
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
