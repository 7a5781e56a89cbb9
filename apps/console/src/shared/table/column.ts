import type { ReactNode } from 'react'

/**
 * Where a column goes in the two-line row of a phone; `more` is below it, once the row is opened. Without a place it is left
 * out there.
 */
export type PhonePlace = 'title' | 'value' | 'detail' | 'more'

export interface Column<Row> {
  readonly key: string
  readonly title: string
  readonly render: (row: Row) => ReactNode
  /** Quota units that stand here instead, as `amountColumn` has them; none in a row that has no amount. */
  readonly amount?: (row: Row) => number | undefined
  readonly widthPx?: number
  /** Takes what room the others leave; for cells that cut what they show. */
  readonly isFluid?: boolean
  /** Keys of the columns to its right that this row leaves to it: they are empty there, and its cell is as wide as all. */
  readonly runsOver?: (row: Row) => readonly string[]
  /** Right-aligned, with figures of equal width. */
  readonly isNumber?: boolean
  /** Stays: the column dialog cannot hide it. */
  readonly isFixed?: boolean
  /** Hidden until the reader asks for it. */
  readonly isHiddenAtFirst?: boolean
  readonly phone?: PhonePlace
  /** Its heading orders the list, where the list has a `sorting`. */
  readonly canSort?: boolean
}

export type RowKey = string | number

/** One page of rows as a list route answers it. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

/** What a table needs of a query; `useQuery` of a `Page<Row>` fits as it is. */
export interface TableSource<Row> {
  readonly data: Page<Row> | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  readonly refetch: () => unknown
}

export interface RowAction {
  readonly key: string
  readonly label: string
  /** Left out for a heading that only opens `children`. */
  readonly onSelect?: () => void
  /** Stands in the row itself; the others wait behind the three dots. On a phone all wait there. */
  readonly isInline?: boolean
  readonly isDestructive?: boolean
  readonly isDisabled?: boolean
  /** Why it cannot be chosen: it is shown, greyed, with this sentence. */
  readonly refusal?: string | undefined
  readonly children?: readonly RowAction[]
}

export interface Selection {
  readonly keys: ReadonlySet<RowKey>
  readonly onChange: (keys: ReadonlySet<RowKey>) => void
}

export interface SortOrder {
  /** The key of a column; "" for the list's own order. */
  readonly by: string
  readonly isDescending: boolean
}

export interface Sorting extends SortOrder {
  readonly onChange: (order: SortOrder) => void
}

export interface EmptyWords {
  /** What is missing: `No channels yet`. */
  readonly title: string
  /** What to do next. */
  readonly text?: string
  readonly action?: ReactNode
}

/** What the desktop grid and the phone list both show. */
export interface TableContent<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => RowKey
  readonly actions?: (row: Row) => readonly RowAction[]
  readonly renderDetails?: (row: Row) => ReactNode
  /** The one row somebody came for: its details show before anybody opens them. */
  readonly isOpenAtFirst?: (row: Row) => boolean
  readonly selection?: Selection
  readonly sorting?: Sorting
  /** Switched off, used up: shown greyed. */
  readonly isRowMuted?: (row: Row) => boolean
}
