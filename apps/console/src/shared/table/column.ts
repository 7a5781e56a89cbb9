import type { ReactNode } from 'react'

/**
 * The place of a column in the two-line row of a phone; `more` is shown below it once the row is opened. A
 * column without a place is left out on a phone.
 */
export type PhonePlace = 'title' | 'value' | 'detail' | 'more'

export interface Column<Row> {
  readonly key: string
  readonly title: string
  readonly render: (row: Row) => ReactNode
  /** Quota units to show in this column, set by `amountColumn`; `undefined` in a row without an amount. */
  readonly amount?: (row: Row) => number | undefined
  /** Follows the amount in the cell. */
  readonly beside?: (row: Row) => ReactNode
  readonly widthPx?: number
  /** Takes the remaining width; for cells that cut their content. */
  readonly isFluid?: boolean
  /** Keys of the columns to its right that this row leaves empty; the cell extends over them. */
  readonly runsOver?: (row: Row) => readonly string[]
  /** Right-aligned, with digits of equal width. */
  readonly isNumber?: boolean
  /** Always shown: the column dialog cannot hide it. */
  readonly isFixed?: boolean
  /** Hidden until the reader selects it in the column dialog. */
  readonly isHiddenAtFirst?: boolean
  readonly phone?: PhonePlace
  /** Its header sorts the list, if the list has `sorting`. */
  readonly canSort?: boolean
}

export type RowKey = string | number

/** One page of rows, as returned by a list route. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

/**
 * The parts of a query that a table needs; the result of `useQuery` for a `Page<Row>` can be passed directly.
 */
export interface TableSource<Row> {
  readonly data: Page<Row> | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  readonly refetch: () => unknown
}

export interface RowAction {
  readonly key: string
  readonly label: string
  /** Absent for a menu item that only opens `children`. */
  readonly onSelect?: () => void
  /**
   * Shown in the row itself; all other actions are in the three-dots menu. On a phone every action is there.
   */
  readonly isInline?: boolean
  readonly isDestructive?: boolean
  readonly isDisabled?: boolean
  /** The reason why the action is unavailable: it is shown disabled, with this sentence. */
  readonly refusal?: string | undefined
  readonly children?: readonly RowAction[]
}

export interface Selection {
  readonly keys: ReadonlySet<RowKey>
  readonly onChange: (keys: ReadonlySet<RowKey>) => void
}

export interface SortOrder {
  /** The key of a column; "" for the list's default order. */
  readonly by: string
  readonly isDescending: boolean
}

export interface Sorting extends SortOrder {
  readonly onChange: (order: SortOrder) => void
}

export interface EmptyWords {
  /** States what is missing: `No channels yet`. */
  readonly title: string
  /** Tells the reader what to do next. */
  readonly text?: string
  readonly action?: ReactNode
}

/** The content that the desktop grid and the phone list share. */
export interface TableContent<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => RowKey
  readonly actions?: (row: Row) => readonly RowAction[]
  readonly renderDetails?: (row: Row) => ReactNode
  /** Marks the row to which a link leads: its details are open from the start. */
  readonly isOpenAtFirst?: (row: Row) => boolean
  readonly selection?: Selection
  readonly sorting?: Sorting
  /** Shows a row greyed, for example if it is disabled or used up. */
  readonly isRowMuted?: (row: Row) => boolean
}
